import { spawn } from 'node:child_process'
import { keepFilesPrivate } from '@specboard/storage'
import { explain } from './explain.ts'
import { Failure } from './frame/failure.ts'
import { printJson } from './frame/output.ts'
import { redirectFile } from './redirect-file.ts'
import { placeOf, type Settings } from './settings.ts'
import { peopleUrlOf } from './url-of.ts'
import { ownerLink } from './web-link.ts'

/** The command that opens an address in the browser of this machine. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * `specboard open`: prints a one-time link that signs in the Local Owner, and opens it in the browser if there is one.
 */
export async function open(
  settings: Settings,
  flags: { readonly url?: string; readonly print?: boolean; readonly json?: boolean },
): Promise<number> {
  keepFilesPrivate()
  const url = flags.url ?? peopleUrlOf(settings)
  const link = await ownerLink(placeOf(settings), url.replace(/\/$/, ''), settings.secretKeyFile)
  if (link === undefined)
    throw new Failure('NOT_FOUND', 'there is no active Local Owner. Start "specboard serve" once.')
  if (flags.json) printJson({ link })
  else console.log(`Board: ${link}`)
  if (flags.print !== true) launch(redirectFile(settings.dataDir, link))
  return 0
}

/** Starts the browser with a file; without one the printed link is enough. */
function launch(file: string): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, file], { stdio: 'ignore', detached: true })
  child.once('error', error =>
    console.error(`specboard: no browser was started (${explain(error)}). Open the link in one.`),
  )
  child.unref()
}
