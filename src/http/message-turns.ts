import { createTurns } from '#database/turns.ts'

/**
 * Runs the work for one stream message, one message per platform at a time, so that streams leave connections free for
 * the platform's requests. A stream that waits for events holds no turn.
 */
export const inTurn = createTurns()
