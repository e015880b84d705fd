/** Pages that were built for the root of a host, below a base path. */
import { gzipSync } from 'node:zlib'
import type { BuiltSite, Site, SiteFile } from './site.ts'

/** The files that name others by their path; scripts and styles find theirs relative to themselves. */
const naming = /\.(?:html|webmanifest)$/

/** An attribute, or a member of the manifest, that names a path of the service. */
const named = /(\b(?:href|src|content|action)="|"(?:id|start_url|scope|src)": ?")\/(?!\/)/g

/** The element that tells the page its base path. */
const basePathTag = '<meta name="base-path" content=""'

const rebased = (text: string, basePath: string): string =>
  text
    .replaceAll(named, (_, before) => `${before}${basePath}/`)
    .replace(basePathTag, `${basePathTag.slice(0, -1)}${basePath}"`)

/** The pages for people below a base path. */
export function basedSite(site: Site, basePath: string): Site {
  let [built, based]: (BuiltSite | undefined)[] = []
  return {
    built: () => {
      if (built === undefined) {
        built = site.built()
        based = built && basedPages(built, basePath)
      }
      return based
    },
    fault: () => site.fault(),
  }
}

/** The guide below a base path. */
export function basedGuide(guide: () => Promise<BuiltSite | undefined>, basePath: string): typeof guide {
  let based: Promise<BuiltSite | undefined> | undefined
  return () => {
    based ??= guide().then(built => built && basedPages(built, basePath))
    return based
  }
}

/** The pages of a build, each rewritten once, when it is first asked for. */
function basedPages(built: BuiltSite, basePath: string): BuiltSite {
  const files = [...built.files].map(([path, file]): [string, SiteFile] => [
    path,
    naming.test(path) ? basedFile(file, basePath) : file,
  ])
  return { hash: built.hash, files: new Map(files) }
}

function basedFile({ type, read }: SiteFile, basePath: string): SiteFile {
  let plain: Promise<Uint8Array<ArrayBuffer>> | undefined
  let gzipped: Promise<Uint8Array<ArrayBuffer>> | undefined
  const rewritten = async () => Buffer.from(rebased(Buffer.from(await read()).toString(), basePath))
  const once = () => {
    plain ??= rewritten()
    return plain
  }
  return {
    type,
    read: once,
    readGzipped: () => {
      gzipped ??= once().then(bytes => gzipSync(bytes))
      return gzipped
    },
  }
}
