import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url).pathname

/** Which packages each package may import; everything else points the wrong way (docs/architecture.md). */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'packages/contract': [],
  'packages/storage': [],
  'packages/cypher': [],
  'packages/importers': ['contract'],
  'packages/domain': ['contract', 'storage', 'cypher', 'importers'],
  'packages/client': ['contract'],
  'apps/http': ['contract', 'domain'],
  'apps/mcp': ['contract', 'domain', 'client', 'http'],
  'apps/web': ['contract', 'client'],
  'apps/cli': ['contract', 'storage', 'domain', 'client', 'http', 'mcp', 'web'],
}

/** Which other rooms of the domain each room may import; the files at the root compose them all. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  schema: ['lib'],
  kernel: ['lib', 'schema'],
  planning: ['lib', 'schema', 'kernel'],
  delivery: ['lib', 'schema', 'kernel', 'planning'],
  graph: ['lib', 'schema', 'kernel'],
  workspace: ['lib', 'schema', 'kernel', 'delivery'],
  'next-actions': ['lib', 'schema', 'kernel', 'planning', 'delivery'],
  insight: ['lib', 'schema', 'kernel', 'planning', 'delivery', 'graph'],
  notifications: ['lib', 'schema', 'kernel', 'insight', 'workspace'],
  exchange: ['lib', 'schema', 'kernel', 'planning', 'delivery', 'graph', 'insight', 'workspace'],
}

const sources = (folder: string): string[] =>
  readdirSync(folder).flatMap(name => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? sources(path) : /\.[jt]sx?$/.test(path) ? [path] : []
  })

const isTest = (file: string): boolean => /\.(?:test|testing)\.ts$/.test(file)

/** The names in a file that a pattern finds, each by one of its groups. */
const namesIn = (file: string, pattern: RegExp): string[] =>
  [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, ...groups]) => groups.find(name => name !== undefined)!)

/** What a file imports: statements at the start of a line (`} from '…'` closes a long one) and `import('…')`. */
const importsOf = (file: string): string[] =>
  namesIn(file, /^(?:import|(?:import|export)\b[^'\n]*\bfrom) '([^']+)'$|^\} from '([^']+)'$|\bimport\('([^']+)'\)/gm)

/** The relative imports of the sources below a folder, both ends as paths from it. */
const edgesOf = (folder: string): (readonly [from: string, to: string])[] =>
  sources(folder)
    .filter(file => !isTest(file))
    .flatMap(file =>
      importsOf(file)
        .filter(specifier => specifier.startsWith('.'))
        .map(specifier => [relative(folder, file), relative(folder, join(file, '..', specifier))] as const),
    )

test.each(Object.entries(allowed))('%s imports only what it may', (folder, packages) => {
  const declared = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const names = new Set(Object.keys({ ...declared.dependencies, ...declared.devDependencies }))
  const faults = sources(join(root, folder, 'src'))
    .filter(file => !isTest(file))
    .flatMap(file =>
      importsOf(file)
        .filter(specifier => !isAllowed(file, specifier))
        .map(specifier => `${relative(root, file)} imports ${specifier}`),
    )
  expect(faults).toEqual([])

  function isAllowed(file: string, specifier: string): boolean {
    if (specifier.startsWith('.')) return join(file, '..', specifier).startsWith(join(root, folder, 'src') + sep)
    if (specifier.startsWith('@specboard/')) return packages.includes(specifier.split('/')[1]!)
    if (specifier.startsWith('virtual:')) return folder === 'apps/web'
    if (specifier.startsWith('node:')) return folder !== 'packages/contract'
    return [...names].some(name => specifier === name || specifier.startsWith(`${name}/`))
  }
})

/** Ways to the database: its query builder, its engines, what the domain gives units of work. */
const databaseAccess =
  /'kysely\b[^']*'|'@specboard\/storage'|^import [^']*\b(?:hot|Db|Database)\b[^']*'@specboard\/domain'|\.(?:database|db)\b/gm

test.each(['apps/http', 'apps/mcp'])(
  '%s holds no SQL: what it stores and reads are functions of the domain',
  folder => {
    const faults = sources(join(root, folder, 'src'))
      .filter(file => !isTest(file))
      .flatMap(file => {
        const found = readFileSync(file, 'utf8').match(databaseAccess) ?? []
        return found.map(access => `${relative(root, file)} has ${access}`)
      })
    expect(faults).toEqual([])
  },
)

test('every package is named above', () => {
  const found = ['packages', 'apps'].flatMap(group => readdirSync(join(root, group)).map(name => `${group}/${name}`))
  expect(found.toSorted()).toEqual(Object.keys(allowed).toSorted())
})

describe('the rooms of the domain', () => {
  const domain = join(root, 'packages/domain/src')
  const roomOf = (path: string): string => (path.includes(sep) ? path.slice(0, path.indexOf(sep)) : '')

  test('import one another only in the directions above, and nothing from the root', () => {
    const faults = edgesOf(domain)
      .filter(([from]) => roomOf(from) !== '')
      .filter(([from, to]) => roomOf(to) !== roomOf(from) && !rooms[roomOf(from)]?.includes(roomOf(to)))
      .map(([from, to]) => `${from} imports ${to}`)
    expect(faults).toEqual([])
  })

  test('are all named above', () => {
    const folders = readdirSync(domain).filter(name => statSync(join(domain, name)).isDirectory())
    expect(folders.toSorted()).toEqual(Object.keys(rooms).toSorted())
  })
})

/** What is loaded with a module: no types, unless their list is long, and not what it imports when needed. */
const loaded = /^(?:import(?! type)|export(?! type)\b[^'\n]*\bfrom)[^'\n]* '([^']+)'$|^\} from '([^']+)'$/gm

/** The files and libraries that a file of the domain loads with it, at any distance. */
function loadedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const specifier of namesIn(file, loaded)) {
    const [, pack = '', part] = /^@specboard\/(storage|contract)\/(.+)$/.exec(specifier) ?? []
    if (part !== undefined) loadedBy(join(root, 'packages', pack, 'src', `${part}.ts`), found)
    else if (specifier.startsWith('.')) loadedBy(join(file, '..', specifier), found)
    else found.add(specifier)
  }
  return found
}

test('the thread that reads a board for its archive loads neither the schemas nor the query builder, which would double it', () => {
  const libraries = [...loadedBy(join(root, 'packages/domain/src/exchange/archive/spool-thread.ts'))].filter(
    name => !name.startsWith(root) && !name.startsWith('node:'),
  )
  expect(libraries).toEqual(['better-sqlite3'])
})

test.each([...Object.keys(allowed).map(folder => `${folder}/src`), 'tools'])(
  'no files or folders of %s import one another in a circle',
  folder => {
    expect(circlesBetween(edgesOf(join(root, folder)))).toEqual([])
  },
)

test('detects a circle between folders, and between a folder and a file beside it', () => {
  const acyclic = [
    ['a/x.ts', 'b/y.ts'],
    ['a/z.ts', 'a/x.ts'],
  ] as const
  expect(circlesBetween(acyclic)).toEqual([])
  expect(circlesBetween([...acyclic, ['b/deep/w.ts', 'a/z.ts']])).toEqual(['./: a → b → a'])
  expect(circlesBetween([...acyclic, ['b/y.ts', 'c.ts'], ['c.ts', 'a/x.ts']])).toEqual(['./: a → b → c.ts → a'])
  expect(
    circlesBetween([
      ['a/b/x.ts', 'a/c.ts'],
      ['a/c.ts', 'a/b/y.ts'],
    ]),
  ).toEqual(['a/: b → c.ts → b'])
})

/** One circle for each folder whose direct members, files and folders, import one another in a circle. */
function circlesBetween(edges: readonly (readonly [from: string, to: string])[]): string[] {
  const folders = new Map<string, Map<string, Set<string>>>()
  for (const [from, to] of edges) {
    const [here, there] = [from.split(sep), to.split(sep)]
    const shared = here.findIndex((part, index) => part !== there[index])
    if (shared === -1) continue
    const folder = here.slice(0, shared).join(sep)
    const members = folders.get(folder) ?? new Map<string, Set<string>>()
    folders.set(folder, members)
    members.set(here[shared]!, (members.get(here[shared]!) ?? new Set()).add(there[shared]!))
  }
  return [...folders].flatMap(([folder, members]) => {
    const circle = circleIn(members)
    return circle === undefined ? [] : [`${folder || '.'}/: ${circle.join(' → ')}`]
  })
}

/** A circle in a graph, with its first member repeated at the end. */
function circleIn(members: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>()
  const follow = (member: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(member)) return [...path.slice(path.indexOf(member)), member]
    if (done.has(member)) return undefined
    for (const next of members.get(member) ?? []) {
      const circle = follow(next, [...path, member])
      if (circle !== undefined) return circle
    }
    done.add(member)
    return undefined
  }
  for (const member of members.keys()) {
    const circle = follow(member, [])
    if (circle !== undefined) return circle
  }
  return undefined
}
