/** The number of days for which events and their deliveries are kept after the end of their week (docs/scale.md#retention). */
export const KEPT_DAYS = 30
/** Each partition holds the events of this many days, and is dropped as a whole. */
export const DAYS_OF_PARTITION = 7
