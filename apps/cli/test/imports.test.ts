import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url).pathname

/** Which packages each may import; everything else points the wrong way (docs/architecture.md). */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'packages/contract': [],
  'packages/domain': ['contract'],
  'packages/client': ['contract'],
  'apps/http': ['contract', 'domain'],
  'apps/mcp': ['contract', 'domain', 'http'],
  'apps/cli': ['contract', 'domain', 'client', 'http', 'mcp'],
}

const sources = (folder: string): string[] =>
  readdirSync(folder).flatMap(name => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? sources(path) : /\.[jt]s$/.test(path) ? [path] : []
  })

/** What a file imports: statements at the start of a line (`} from '…'` closes a long one) and `import('…')`. */
const importsOf = (file: string) =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^(?:import|(?:import|export)\b[^'\n]*\bfrom) '([^']+)'$|^\} from '([^']+)'$|\bimport\('([^']+)'\)/gm,
    ),
  ].map(match => match[1] ?? match[2] ?? match[3]!)

test.each(Object.entries(allowed))('%s imports only what it may', (folder, packages) => {
  const declared = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const names = new Set(Object.keys({ ...declared.dependencies, ...declared.devDependencies }))
  const faults = sources(join(root, folder, 'src'))
    .filter(file => !file.endsWith('.test.ts'))
    .flatMap(file =>
      importsOf(file)
        .filter(specifier => !isAllowed(file, specifier))
        .map(specifier => `${relative(root, file)} imports ${specifier}`),
    )
  expect(faults).toEqual([])

  function isAllowed(file: string, specifier: string): boolean {
    if (specifier.startsWith('.')) return join(file, '..', specifier).startsWith(join(root, folder, 'src') + sep)
    if (specifier.startsWith('@specboard/')) return packages.includes(specifier.slice('@specboard/'.length))
    if (specifier.startsWith('node:')) return folder !== 'packages/contract'
    return [...names].some(name => specifier === name || specifier.startsWith(`${name}/`))
  }
})
