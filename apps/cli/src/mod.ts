/** The composition root: starts the service for the command line, the tools and the tests. */
export type { SitePages } from './application.ts'
export { type RunningService, startService } from './serve.ts'
export { readSettings, type Settings } from './settings.ts'
export { version } from './version.ts'
