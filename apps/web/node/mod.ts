/** The part of the web board that runs in the service: builds the pages at the first start, and hands them out. */
export { builtSite, type OpenedSite, openSite } from './site.ts'
export { buildFolder } from './sources.ts'
