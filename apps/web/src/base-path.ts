/**
 * The path below which the service is reached, without a slash at its end; empty at the root of its host
 * (SPECBOARD_BASE_PATH). The service writes it into the page.
 */
export const basePath = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ''

/** The address of the service, without a slash at its end. */
export const serviceUrl = location.origin + basePath

/** The whole address of a link of the service, which is a path where the service does not know how people reach it. */
export const wholeLink = (link: string): string => (link.startsWith('/') ? serviceUrl + link : link)

/** The path of the open page, as the routes name it. */
export const openPath = (): string => location.pathname.slice(basePath.length) || '/'
