/**
 * Builds the dashboard. Returns the folder that it is in, and the file that lists its GraphQL documents. Throws an Error that names the cause
 * if a step fails. The gateway also works without a dashboard.
 */
export function buildDashboard(): Promise<{ readonly directory: string; readonly documents: string }>
