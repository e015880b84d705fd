/** The part of the web board that runs in the service: builds the pages and the guide, and hands them out. */
export { builtSite, type OpenedSite, openSite } from './site.ts'
export { board, buildFolder, guide, type Pages } from './sources.ts'
