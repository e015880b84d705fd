import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { answer } from './answers.ts'
import { type DocsFile, readDocsFile } from './docs-files.ts'
import type { HttpApp } from './http-env.ts'
import { openApiDocument } from './openapi/document.ts'

interface Asset {
  readonly type: string
  readonly read: () => string | Buffer
}

interface ServedAsset {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer<ArrayBuffer>
  readonly zipped: Buffer<ArrayBuffer>
}

const strict =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
const relaxed = strict
  .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'; worker-src blob:")
  .replace("font-src 'self'", "font-src 'self' data:")

const page = (title: string, head: string, script: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>${head}</head><body><div id="app"></div>${script}</body></html>`

const bundled = (file: DocsFile) => () => readDocsFile(file)

/** Everything that the docs pages need, so that they work without internet. No file path comes from a request. */
const assets = (version: string, base: string): Readonly<Record<string, Asset & { readonly policy?: string }>> => ({
  '/openapi.json': { type: 'application/json', read: () => openApiDocument(version, undefined, base) },
  '/docs': {
    type: 'text/html; charset=utf-8',
    policy: strict,
    read: () =>
      page(
        'Specboard: console',
        `<link rel="stylesheet" href="${base}/docs/swagger-ui.css">`,
        `<script src="${base}/docs/swagger-ui.js"></script><script src="${base}/docs/init.js"></script>`,
      ),
  },
  '/docs/swagger-ui.js': {
    type: 'text/javascript; charset=utf-8',
    read: bundled('swagger-ui-dist/swagger-ui-bundle.js'),
  },
  '/docs/swagger-ui.css': { type: 'text/css; charset=utf-8', read: bundled('swagger-ui-dist/swagger-ui.css') },
  '/docs/init.js': {
    type: 'text/javascript; charset=utf-8',
    read: () =>
      `SwaggerUIBundle({ url: '${base}/openapi.json', dom_id: '#app', validatorUrl: null, deepLinking: true, filter: true, docExpansion: 'none' })\n`,
  },
  '/redoc': {
    type: 'text/html; charset=utf-8',
    policy: relaxed,
    read: () => page('Specboard: reference', '', `<script type="module" src="${base}/redoc/init.js"></script>`),
  },
  '/redoc/redoc.js': { type: 'text/javascript; charset=utf-8', read: bundled('redoc/bundles/redoc.standalone.js') },
  '/redoc/init.js': {
    type: 'text/javascript; charset=utf-8',
    read: () =>
      `import { init } from '${base}/redoc/redoc.js'\ninit('${base}/openapi.json', {}, document.getElementById('app'))\n`,
  },
})

/** Adds `/openapi.json`, `/docs` and `/redoc`; each asset is read at its first use and cached. */
export function addDocs(app: HttpApp, version: string, basePath = ''): void {
  for (const [path, asset] of Object.entries(assets(version, basePath))) {
    let served: ServedAsset | undefined
    app.get(path, c => {
      served ??= serve(asset)
      const headers = {
        'content-type': served.type,
        etag: served.etag,
        vary: 'accept-encoding',
        'cache-control': 'no-cache',
        ...(asset.policy !== undefined && { 'content-security-policy': asset.policy }),
      }
      if (c.req.header('if-none-match')?.includes(served.etag)) return answer(c, 304, headers, null)
      const zip = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
      return answer(
        c,
        200,
        { ...headers, ...(zip && { 'content-encoding': 'gzip' }) },
        zip ? served.zipped : served.plain,
      )
    })
  }
}

function serve({ type, read }: Asset): ServedAsset {
  const plain = Buffer.from(read())
  return {
    type,
    plain,
    zipped: gzipSync(plain),
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
  }
}
