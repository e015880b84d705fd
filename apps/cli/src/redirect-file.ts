import { randomUUID } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' }

const escaped = (text: string): string => text.replaceAll(/[&"<]/g, character => escapes[character]!)

/**
 * A file that redirects a browser to a link, readable only by its user: a link in the arguments of a program would be
 * in the list of processes, which every user of the machine can read (walls 8).
 * @returns its path; the next one replaces it
 */
export function redirectFile(folder: string, link: string): string {
  const file = join(folder, 'open.html')
  const unfinished = `${file}.${randomUUID()}`
  const address = escaped(link)
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${address}"><title>Specboard</title></head><body><a href="${address}">Open the board</a></body></html>`
  writeFileSync(unfinished, page, { flag: 'wx', mode: 0o600 })
  renameSync(unfinished, file)
  return file
}
