/**
 * The path below which the service is reached, without a slash at its end; empty at the root of its host
 * (SPECBOARD_BASE_PATH). The service writes it into the page.
 */
export const basePath = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ''

/** The address of the service, without a slash at its end. */
export const serviceUrl = location.origin + basePath

/**
 * The full address of a link from the service, which is only a path if the service does not know its public address.
 */
export const wholeLink = (link: string): string => (link.startsWith('/') ? serviceUrl + link : link)

/** The path of the open page, in the form that the routes use. */
export const openPath = (): string => location.pathname.slice(basePath.length) || '/'
