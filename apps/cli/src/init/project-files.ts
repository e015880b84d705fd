import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { unusableFile } from '../frame/failure.ts'

/** A file of the project: its text, and its wanted text. */
interface ProjectText {
  readonly path: string
  /** Undefined if the file does not exist. */
  readonly present: string | undefined
  wanted: string | undefined
}

/** Files of a project that change together: all of them, or none (exchange 3). */
export class ProjectFiles {
  readonly #folder: string
  readonly #texts: readonly ProjectText[]
  /** Folders created for them, outermost first. */
  readonly #made: string[] = []

  private constructor(folder: string, texts: readonly ProjectText[]) {
    this.#folder = folder
    this.#texts = texts
  }

  /** @throws Failure for a file that cannot be read */
  static read(folder: string, paths: readonly string[]): ProjectFiles {
    const texts = paths.map(path => {
      const present = textOf(join(folder, path))
      return { path, present, wanted: present }
    })
    return new ProjectFiles(folder, texts)
  }

  /** Sets the wanted text of a file; nothing is written yet. An empty text deletes it. */
  change(path: string, textFrom: (present: string) => string): void {
    const text = this.#texts.find(candidate => candidate.path === path)!
    text.wanted = textFrom(text.present ?? '') || undefined
  }

  /** @throws Failure for a file that cannot be written; restore() restores the previous contents */
  write(): void {
    for (const { path, present, wanted } of this.#texts) if (wanted !== present) this.#put(path, wanted)
  }

  /** Restores the previous text of every file. */
  restore(): void {
    for (const { path, present, wanted } of this.#texts)
      if (wanted !== present && textOf(join(this.#folder, path)) !== present) this.#put(path, present)
    for (const folder of this.#made.toReversed()) removeIfEmpty(folder)
  }

  changes(): { readonly path: string; readonly changed: boolean; readonly deleted: boolean }[] {
    return this.#texts.map(({ path, present, wanted }) => ({
      path,
      changed: wanted !== present,
      deleted: present !== undefined && wanted === undefined,
    }))
  }

  #put(path: string, text: string | undefined): void {
    const file = join(this.#folder, path)
    try {
      if (text === undefined) removeFile(file, this.#folder)
      else {
        this.#makeFolders(dirname(path))
        writeFileSync(file, text)
      }
    } catch (error) {
      throw unusableFile(file, 'written', error)
    }
  }

  #makeFolders(path: string): void {
    let folder = this.#folder
    for (const part of path.split(sep)) {
      folder = join(folder, part)
      if (existsSync(folder)) continue
      mkdirSync(folder)
      this.#made.push(folder)
    }
  }
}

/** Removes a file, and its folder inside the project if it is empty then. */
function removeFile(file: string, project: string): void {
  rmSync(file, { force: true })
  if (dirname(file) !== project) removeIfEmpty(dirname(file))
}

function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
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
