import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { unusableFile } from '../frame/failure.ts'
import { commonEnds } from './common-ends.ts'

/** A file of the project: its text, and its wanted text. */
interface ProjectText {
  readonly path: string
  /** Undefined if the file does not exist. */
  readonly present: string | undefined
  target: string | undefined
}

/** The outcome for a file. */
export interface FileOutcome {
  readonly path: string
  readonly changed: boolean
  readonly deleted: boolean
  readonly isNew: boolean
}

/** Files of a project that change together: all of them, or none (exchange 3). */
export class ProjectFiles {
  readonly #folder: string
  readonly #texts: readonly ProjectText[]
  /** Folders that stay although they are empty. */
  readonly #staying: ReadonlySet<string>
  /** Folders created for them, outermost first. */
  readonly #createdFolders: string[] = []

  private constructor(folder: string, texts: readonly ProjectText[], staying: readonly string[]) {
    this.#folder = folder
    this.#texts = texts
    this.#staying = new Set(staying.map(path => join(folder, path)))
  }

  /**
   * @param staying folders that are not removed with their last file
   * @throws Failure for a file that cannot be read
   */
  static read(folder: string, paths: readonly string[], staying: readonly string[] = []): ProjectFiles {
    const texts = [...new Set(paths)].map(path => {
      const present = textOf(join(folder, path))
      return { path, present, target: present }
    })
    return new ProjectFiles(folder, texts, staying)
  }

  /** The folders of the files that exist and are empty. */
  emptyFolders(): string[] {
    const above = (path: string): string[] => (path === '.' ? [] : [...above(dirname(path)), path])
    const folders = new Set(this.#texts.flatMap(({ path }) => above(dirname(path))))
    return [...folders].filter(path => isEmpty(join(this.#folder, path)))
  }

  /**
   * Changes the wanted text of a file, after earlier changes; nothing is written yet. An empty text deletes it.
   * @returns the wanted text before and after
   */
  change(path: string, textFrom: (present: string) => string): readonly [before: string, after: string] {
    const text = this.#texts.find(candidate => candidate.path === path)!
    const before = text.target ?? ''
    const after = textFrom(before)
    text.target = after === '' ? undefined : after
    return [before, after]
  }

  /** The text that a file has now; empty if it does not exist. */
  textOf(path: string): string {
    return this.#texts.find(candidate => candidate.path === path)?.present ?? ''
  }

  /** Forgets all wanted changes. */
  forget(): void {
    for (const text of this.#texts) text.target = text.present
  }

  /** The lines that differ in each file, each with its sign. */
  differences(): { readonly path: string; readonly lines: readonly string[] }[] {
    return this.#texts.flatMap(({ path, present, target }) =>
      present === target ? [] : [{ path, lines: differingLines(present, target) }],
    )
  }

  /** @throws Failure for a file that cannot be written; restore() restores the previous contents */
  write(): void {
    for (const { path, present, target } of this.#texts) if (target !== present) this.#put(path, target)
  }

  /** Restores the previous text of every file. */
  restore(): void {
    for (const { path, present, target } of this.#texts)
      if (target !== present && textOf(join(this.#folder, path)) !== present) this.#put(path, present)
    for (const folder of this.#createdFolders.toReversed()) removeIfEmpty(folder)
  }

  changes(): FileOutcome[] {
    return this.#texts.map(({ path, present, target }) => ({
      path,
      changed: target !== present,
      deleted: present !== undefined && target === undefined,
      isNew: present === undefined,
    }))
  }

  #put(path: string, text: string | undefined): void {
    const file = join(this.#folder, path)
    try {
      if (text === undefined) this.#remove(file)
      else {
        this.#makeFolders(dirname(path))
        writeFileSync(file, text)
      }
    } catch (error) {
      throw unusableFile(file, 'written', error)
    }
  }

  /** Removes a file, and its folders inside the project if they are empty then. */
  #remove(file: string): void {
    rmSync(file, { force: true })
    for (let folder = dirname(file); folder !== this.#folder && !this.#staying.has(folder); folder = dirname(folder))
      if (!removeIfEmpty(folder)) return
  }

  #makeFolders(path: string): void {
    let folder = this.#folder
    for (const part of path.split(sep)) {
      folder = join(folder, part)
      if (existsSync(folder)) continue
      mkdirSync(folder)
      this.#createdFolders.push(folder)
    }
  }
}

/** The lines that differ: those between the common beginning and the common end of two texts. */
function differingLines(present: string | undefined, target: string | undefined): string[] {
  const linesOf = (text: string | undefined) => text?.split('\n') ?? []
  const [before, after] = [linesOf(present), linesOf(target)]
  const { start, tail } = commonEnds(before, after)
  const own = (lines: readonly string[]) => lines.slice(start, lines.length - tail)
  return [...own(before).map(line => `- ${line}`), ...own(after).map(line => `+ ${line}`)]
}

const isEmpty = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length === 0

/** Removes a folder if it is empty; returns whether it is gone. */
function removeIfEmpty(folder: string): boolean {
  if (isEmpty(folder)) rmdirSync(folder)
  return !existsSync(folder)
}

/** @throws Failure for an existing file that cannot be read */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusableFile(file, 'read', error)
  }
}
