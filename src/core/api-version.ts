/** The version of the interface, a date: the first segment of every REST path. */
export const API_VERSION = '2025-10-13'
