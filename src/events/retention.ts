/** The number of days for which events and their deliveries are kept after the end of their week (docs/scale.md#retention). */
export const KEPT_DAYS = 30
/** They are dropped by week. */
export const DAYS_TOGETHER = 7
