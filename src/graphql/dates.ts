// Descriptions of time filters.
const DAY = 'Inclusive. A date alone is the whole day in UTC.'

export const CREATED_FROM = `Created at this time or later. ${DAY}`
export const CREATED_UNTIL = `Created at this time or earlier. ${DAY}`
export const CHANGED_FROM = `Changed at this time or later. ${DAY}`
export const CHANGED_UNTIL = `Changed at this time or earlier. ${DAY}`
