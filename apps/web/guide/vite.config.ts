/** The build of the guide: a plugin turns the pages of docs into HTML and passes it to vite. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { fontLicence } from '../node/fonts.ts'
import { guidePages } from './contents.ts'
import { pageOf, scriptAddress } from './layout.ts'
import { base, renderPage, type Targets } from './markdown.ts'
import { searchText } from './search-text.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** The pages are built as if their HTML were next to their Markdown, so that an address is a path below this folder. */
const docs = join(root, 'docs')

/** The script that every page loads. */
const script = fileURLToPath(new URL('guide.ts', import.meta.url))

const imageType = /\.(?:png|svg)$/

function guide(): Plugin {
  /** Files that are not pages, by their path below the guide. */
  const files = new Map([['icon.svg', 'apps/web/src/icon.svg']])
  const targets: Targets = {
    pages: new Map(guidePages.map(page => [page.source, page])),
    fileAddress: path => {
      if (imageType.test(path)) return `/${path.replace(/^docs\//, '')}`
      if (path.endsWith('.md'))
        throw new Error(`${path} is linked, but is not a page of the guide (guide/contents.ts).`)
      const place = path.replace(/^docs\//, '')
      files.set(place, path)
      return base + place
    },
  }
  const rendered = guidePages.map(page => {
    const text = readFileSync(join(root, page.source), 'utf8')
    return { page, ...renderPage(text, page.source, targets) }
  })
  const pages = new Map(rendered.map(({ page, html }) => [join(docs, page.path), pageOf(page, html)]))
  return {
    name: 'specboard-guide',
    enforce: 'pre',
    config: () => ({ build: { rolldownOptions: { input: [...pages.keys()] } } }),
    resolveId: id => (pages.has(id) ? id : id === scriptAddress ? script : undefined),
    load: id => pages.get(id),
    generateBundle() {
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source })
      emit('search.json', JSON.stringify(searchText(rendered)))
      for (const [fileName, path] of files) emit(fileName, readFileSync(join(root, path), 'utf8'))
    },
  }
}

export default defineConfig({
  root: docs,
  base,
  publicDir: false,
  plugins: [guide(), fontLicence()],
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  build: {
    target: 'es2024',
    cssMinify: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.json' },
  },
})
