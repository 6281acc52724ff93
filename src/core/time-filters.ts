// Descriptions of the time filters of all lists, for both faces.
const DAY = 'A date without a time means the whole day in UTC.'

export const CREATED_FROM = `Created at this time or later. ${DAY}`
export const CREATED_UNTIL = `Created at this time or earlier. ${DAY}`
export const CHANGED_FROM = `Last changed at this time or later. ${DAY}`
export const CHANGED_UNTIL = `Last changed at this time or earlier. ${DAY}`
