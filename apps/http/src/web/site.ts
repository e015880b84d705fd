import { answer } from '../answers.ts'
import type { HttpApp, HttpContext } from '../http-env.ts'

/** A file of the built pages. */
export interface SiteFile {
  readonly type: string
  read(): Promise<Uint8Array<ArrayBuffer>>
  /** The same, compressed; missing if that saves nothing. */
  readGzipped?(): Promise<Uint8Array<ArrayBuffer>>
}

/** The pages of one build. */
export interface BuiltSite {
  /** The hash of the build's sources. */
  readonly hash: string
  /** By path, including `/index.html`. Only paths in here lead to reading a file. */
  readonly files: ReadonlyMap<string, SiteFile>
}

/** The pages for people; the first start builds them while the API already answers. */
export interface Site {
  /** The build; undefined while it is in progress. */
  built(): BuiltSite | undefined
  /** Why it failed. */
  fault(): string | undefined
}

/** The addresses that are answered with the page. The program in the browser determines which view to show. */
const pagePaths = ['/', '/b/*', '/i/*', '/me/*', '/admin/*', '/sign-in', '/invite', '/connect/:id'] as const

/** No inline script or style, no other host; a mockup is shown in a frame of its own. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The frame around a mockup. The mockup inherits the frame's policy, which allows its own styles and pictures, and
 * nothing else.
 */
const mockupFrame = '/mockup.html'
const mockupPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** The files that make the board an installable app, and show push messages (people 5.7): at stable addresses. */
const appFiles = ['/manifest.webmanifest', '/sw.js', '/icon-192.png', '/icon-512.png'] as const

const pageHeaders = { 'content-security-policy': policy, 'cache-control': 'no-cache' }

const mockupHeaders = { ...pageHeaders, 'content-security-policy': mockupPolicy, 'x-frame-options': 'SAMEORIGIN' }

/** Paths for programs: an unknown address below these is refused in their format. */
const forPrograms = /^\/(?:api|mcp|assets|docs|redoc|web)(?:\/|$)/

/** Whether somebody typed or followed an address that is not for programs (web 2). */
const isOpenedByPerson = (c: HttpContext): boolean =>
  c.req.method === 'GET' &&
  !forPrograms.test(c.req.path) &&
  (c.req.header('accept') ?? '').split(',').some(type => /^\s*text\/html\b/.test(type))

const html = 'text/html; charset=utf-8'

/** Adds the pages and their assets, whose names change with their content. */
export function addSite(app: HttpApp, site: Site): void {
  for (const path of pagePaths)
    app.get(path, c => {
      const built = site.built()
      return built === undefined ? notYet(c, site.fault()) : sendTagged(c, built, built.files.get('/index.html')!)
    })
  for (const path of [...appFiles, mockupFrame])
    app.get(path, (c, next) => {
      const built = site.built()
      const file = built?.files.get(path)
      if (built === undefined || file === undefined) return next()
      return sendTagged(c, built, file, path === mockupFrame ? mockupHeaders : pageHeaders)
    })
  app.get('/assets/*', async (c, next) => {
    const file = site.built()?.files.get(c.req.path)
    return file === undefined ? next() : sendAsset(c, file)
  })
}

/**
 * The page for somebody who typed or followed an unknown address (web 2).
 * @returns undefined if a program asked, or the pages are not built
 */
export function unknownPage(c: HttpContext, site: Site | undefined): Promise<Response> | undefined {
  const index = site?.built()?.files.get('/index.html')
  return index === undefined || !isOpenedByPerson(c) ? undefined : sendFile(c, index, pageHeaders, 404)
}

/** The path of the guide. */
const guidePath = '/docs/guide'

/**
 * Adds the pages of the documentation.
 * @param guide returns the build, which a clone makes when it is first requested; undefined if it failed
 */
export function addGuide(app: HttpApp, guide: () => Promise<BuiltSite | undefined>): void {
  for (const path of [guidePath, `${guidePath}/*`])
    app.get(path, async (c, next) => {
      const built = await guide()
      if (built === undefined) return unbuilt(c, 'The guide could not be built; the log of the service says why.', 503)
      const pathname = c.req.path.slice(guidePath.length)
      const name = pathname === '' || pathname.endsWith('/') ? `${pathname || '/'}index.html` : pathname
      const file = built.files.get(name)
      if (file === undefined) return next()
      return name.startsWith('/assets/') ? sendAsset(c, file) : sendTagged(c, built, file)
    })
}

/** A file whose name stays the same while its content changes. */
function sendTagged(
  c: HttpContext,
  { hash }: BuiltSite,
  file: SiteFile,
  standard: Readonly<Record<string, string>> = pageHeaders,
): Response | Promise<Response> {
  const headers = { ...standard, etag: `"${hash}"` }
  if (c.req.header('if-none-match')?.includes(headers.etag)) return answer(c, 304, headers, null)
  return sendFile(c, file, headers)
}

/** A file whose name changes with its content. */
const sendAsset = (c: HttpContext, file: SiteFile): Promise<Response> =>
  sendFile(c, file, { 'cache-control': 'public, max-age=31536000, immutable' })

async function sendFile(
  c: HttpContext,
  file: SiteFile,
  headers: Readonly<Record<string, string>>,
  status: 200 | 404 = 200,
): Promise<Response> {
  const all = { ...headers, 'content-type': file.type, vary: 'accept-encoding' }
  const asksForGzip = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
  return asksForGzip && file.readGzipped !== undefined
    ? answer(c, status, { ...all, 'content-encoding': 'gzip' }, await file.readGzipped())
    : answer(c, status, all, await file.read())
}

/** The page until the build is ready: it says so, and reloads itself. */
const notYet = (c: HttpContext, fault: string | undefined): Response =>
  fault === undefined
    ? unbuilt(c, 'The board is being built. It will open in a few seconds; the API and MCP already answer.', 200)
    : unbuilt(c, 'The board could not be built; the log of the service says why. The API and MCP still answer.', 503)

/** The placeholder of a page. With 200 it reloads itself. */
function unbuilt(c: HttpContext, says: string, status: 200 | 503): Response {
  const headers = {
    'content-type': html,
    'cache-control': 'no-store',
    'retry-after': '1',
    ...(status === 200 && { refresh: '1' }),
  }
  const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Specboard</title></head><body><h1>Specboard</h1><p>${says}</p></body></html>`
  return answer(c, status, headers, text)
}
