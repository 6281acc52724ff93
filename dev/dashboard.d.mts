/**
 * Builds the dashboard, and returns its folder and the manifest of its documents. Throws an Error with the cause if a step fails, for example
 * because there is no network. The gateway works without a dashboard.
 */
export function buildDashboard(): Promise<{ readonly directory: string; readonly documents: string }>
