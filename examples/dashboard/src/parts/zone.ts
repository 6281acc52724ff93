/** The name of the reader's zone, such as `Europe/Berlin`. Its distance from UTC may change twice a year. */
export const zoneText = new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')
