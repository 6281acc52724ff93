/** The API version, a date. It is the first segment of every REST path. */
export const API_VERSION = '2025-10-13'
