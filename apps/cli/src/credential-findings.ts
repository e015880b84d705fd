/** The findings of doctor about keys on this machine (harness 1). */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { maskKeys } from '@specboard/contract'
import type { Finding } from './finding.ts'
import { Credentials, type Variables } from './frame/credentials.ts'
import { projectAbove, projectFileName } from './frame/project-file.ts'
import type { Target } from './frame/target.ts'
import { clientFiles } from './init/client-files.ts'

/** Files of a project in which somebody may have left a key: they are shared with everybody who has the project. */
const sharedFiles = [
  projectFileName,
  ...Object.values(clientFiles),
  '.claude/settings.json',
  '.codex/hooks.json',
  '.cursor/hooks.json',
  '.github/hooks/specboard.json',
  '.vscode/settings.json',
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
]

/** A key, in the form of `api_key`. */
const key = /dash_[0-9a-f]{48}/

/** Maximum number of bytes of a file that are searched. */
const maxBytes = 1 << 20

/** Checks the saved keys, the service named by a project, and the files of the project for keys. */
export function credentialFindings(variables: Variables, folder: string, { refusal }: Target): Finding[] {
  const project = projectAbove(folder)?.folder ?? folder
  const withKey = [...new Set(sharedFiles)].flatMap(file => {
    const secret = key.exec(textOf(join(project, file)))?.[0]
    return secret === undefined ? [] : [{ file, masked: maskKeys(secret) }]
  })
  return [
    savedFinding(variables),
    ...(refusal === undefined ? [] : [{ name: 'service', ok: false, says: refusal }]),
    ...withKey.map(({ file, masked }) => ({
      name: 'key in a project',
      ok: false,
      says: `${join(project, file)} holds the key ${masked}, which is ignored there: remove it, replace it with "specboard key revoke", and save the new one with "specboard login"`,
    })),
  ]
}

function savedFinding(variables: Variables): Finding {
  const name = 'saved keys'
  try {
    const saved = Credentials.read(variables)
    const lines = saved.addresses.map(address => `${address} (${saved.profilesOf(address).join(', ')})`)
    return { name, ok: true, says: lines.join(', ') || 'none' }
  } catch (error) {
    return { name, ok: false, says: (error as Error).message }
  }
}

/** The beginning of a file; empty if it cannot be read. */
function textOf(file: string): string {
  let handle: number
  try {
    handle = openSync(file, 'r')
  } catch {
    return ''
  }
  try {
    if (!fstatSync(handle).isFile()) return ''
    const bytes = Buffer.alloc(Math.min(maxBytes, fstatSync(handle).size))
    return bytes.toString('utf8', 0, readSync(handle, bytes))
  } finally {
    closeSync(handle)
  }
}
