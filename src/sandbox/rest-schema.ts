import { z } from 'zod'
import { ADVANCE_TEXTS } from './advance-time.ts'

export const advancedTimeSchema = z
  .object({
    advancedSeconds: z.int().min(0).describe(ADVANCE_TEXTS.advancedSeconds),
    remainingSeconds: z.int().min(0).describe(ADVANCE_TEXTS.remainingSeconds),
    jobsRun: z.int().min(0).describe(ADVANCE_TEXTS.jobsRun),
  })
  .meta({ id: 'AdvancedTime', description: 'How far the time of the platform was advanced.' })
