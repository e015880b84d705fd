import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './root.ts'

/** A library that is part of the package, and its licence. */
export interface ThirdParty {
  readonly name: string
  readonly version: string
  /** Its SPDX expression. */
  readonly licence: string
  readonly author: string
  /** The licence and notices that came with the library; empty if it came without a file of them. */
  readonly text: string
}

/** The folder of the library to which a file belongs; undefined for a file of this project. */
const libraryOf = (file: string): string | undefined =>
  /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file.replaceAll('\\', '/'))?.[0]

/** Licences and notices of a library, and of libraries bundled in it. */
const licenceFile = /^(?:licen[cs]e|copying|notice)\b|\.licen[cs]e\.txt$/i

function libraryIn(folder: string): ThirdParty {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder)
    .filter(file => licenceFile.test(file))
    .toSorted()
    .map(file => readFileSync(join(folder, file), 'utf8').trim())
  return { name, version, licence: license, author: author?.name ?? author ?? name, text: texts.join('\n\n') }
}

/** The libraries whose modules went into the bundles, found by their files. */
export function bundledLibraries(modules: readonly string[]): ThirdParty[] {
  const folders = modules.flatMap(file => libraryOf(file) ?? [])
  return [...new Set(folders)].map(libraryIn)
}

/** The libraries whose files are shipped unchanged. */
export function copiedLibraries(workspacePackage: string, files: readonly string[]): ThirdParty[] {
  const { resolve } = createRequire(join(root, workspacePackage, 'package.json'))
  return bundledLibraries(files.map(file => resolve(file)))
}

/** A library in the list that vite makes. */
interface ListedLibrary {
  readonly name: string
  readonly version: string
  readonly identifier: string
  readonly author?: { readonly name?: string }
  readonly text?: string
}

/** The libraries in a build of the web board, which lists them. */
export function pageLibraries(build: string): ThirdParty[] {
  const listed = JSON.parse(readFileSync(join(build, 'licenses.json'), 'utf8')) as readonly ListedLibrary[]
  return listed.map(({ name, version, identifier, author, text = '' }) => ({
    name,
    version,
    licence: identifier,
    author: author?.name ?? name,
    text,
  }))
}

/** THIRD-PARTY-LICENSES: each library once, in the order of their names. */
export function noticeOf(libraries: readonly ThirdParty[]): string {
  const byName = new Map(libraries.map(library => [`${library.name} ${library.version}`, library]))
  const parts = [...byName]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([title, { licence, author, text }]) => `${title}\nLicence: ${licence}\n\n${text || `Copyright (c) ${author}`}`,
    )
  const head = 'Specboard contains the libraries below, each under its own licence.'
  return `${[head, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
