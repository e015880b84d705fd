/** Writes the generated pages of docs/: states from the domain's tables, permissions and operations from the contract. */
import { writeFileSync } from 'node:fs'
import { pages } from './docs/pages.ts'

for (const [name, page] of Object.entries(pages)) {
  writeFileSync(new URL(`../docs/${name}`, import.meta.url), page())
  console.log(`docs/${name}`)
}
