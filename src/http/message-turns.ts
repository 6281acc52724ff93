import { createTurns } from '#database/turns.ts'

/**
 * Runs the work for one message of a stream, after those of the same platform that came before. So the platform's
 * requests find free connections, however many streams it has. A stream that waits for events has no turn.
 */
export const inTurn = createTurns()
