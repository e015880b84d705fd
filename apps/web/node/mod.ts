/** The part of the web board that runs in the service: builds and serves the pages and the guide. */
export { builtSite, type OpenedSite, openSite } from './site.ts'
export { board, buildFolder, guide, type Pages } from './sources.ts'
