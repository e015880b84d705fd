/**
 * Writes the generated pages of docs/ (states from the domain's tables, permissions and operations from the contract)
 * and the files that registries and clients look for.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { files } from './distribution/files.ts'
import { pages } from './docs/pages.ts'
import { pluginFiles } from './plugin/forms.ts'

const written = {
  ...Object.fromEntries(Object.entries(pages).map(([name, page]) => [`docs/${name}`, page()])),
  ...files,
  ...(await pluginFiles()),
}
for (const [path, text] of Object.entries(written)) {
  const file = new URL(`../${path}`, import.meta.url)
  mkdirSync(new URL('./', file), { recursive: true })
  writeFileSync(file, text)
  console.log(path)
}
