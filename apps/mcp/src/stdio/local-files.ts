import { createHash, randomUUID } from 'node:crypto'
import { constants, createWriteStream } from 'node:fs'
import { copyFile, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type AnyOperation, issueItem, operationByName } from '@specboard/contract'
import { DomainError, mimeTypeOf, myPermissions } from '@specboard/domain'
import { compact } from '../calls/compact.ts'
import { isObject, type JsonObject, leanValue } from '../calls/lean-value.ts'
import { type Arguments, readArguments } from '../calls/read-arguments.ts'
import { invalidArguments, type Outcome, refused, succeeded } from '../calls/results.ts'
import { boundArguments, refuseByView } from '../calls/view-bounds.ts'
import { toolAnnotations } from '../tools/annotations.ts'
import { requestAddress } from '../tools/api-path.ts'
import type { ToolDefinition } from '../tools/definitions.ts'
import type { View } from '../tools/view.ts'
import { FolderBounds } from './folder-bounds.ts'

/** How a call that names a local file reaches the service. */
export interface LocalFileService {
  /** Sends a request to the API, with the key. */
  readonly api: (path: string, init: RequestInit) => Promise<Response>
  /** Calls a tool through the view of the connection. */
  readonly tool: (name: string, args: JsonObject) => Promise<Outcome>
}

/** The argument that a tool gains when it can use local files (mcp 4.4). */
const localArgument = (name: string): 'path' | 'save_to' | undefined => {
  const kind = operationByName.get(name)?.kind
  return kind === 'upload' || kind === 'files' ? 'path' : kind === 'file' ? 'save_to' : undefined
}

const overwrite = { type: 'boolean' as const, description: 'replace the file if there is one' }

/**
 * A listed tool with the argument that names a local file. A tool that writes a local file says so in its hints,
 * whatever its operation does (walls 8).
 */
export function withLocalFile(tool: ToolDefinition): ToolDefinition {
  const argument = localArgument(tool.name)
  if (argument === undefined) return tool
  const properties = {
    ...tool.inputSchema.properties,
    [argument]: { type: 'string' as const, description: 'file on this machine' },
    ...(argument === 'save_to' && { overwrite }),
  }
  return {
    ...tool,
    inputSchema: { ...tool.inputSchema, properties },
    ...(argument === 'save_to' && { annotations: toolAnnotations.destructive_once }),
  }
}

/** The meta tools that run an operation by its name. */
const byName: ReadonlySet<string> = new Set(['call_operation', 'read_operation'])

/** The operation and arguments of a call, even if made by name. */
function operationOf(name: string, args: JsonObject): { operation: AnyOperation | undefined; args: JsonObject } {
  const inner = byName.has(name) && typeof args.name === 'string'
  if (!inner) return { operation: operationByName.get(name), args }
  return { operation: operationByName.get(String(args.name)), args: isObject(args.arguments) ? args.arguments : {} }
}

/** Moves files between this machine and the server for calls that name one. */
export class LocalFiles {
  readonly #bounds: FolderBounds
  readonly #view: View

  /**
   * @param folders folders whose files may be used, in addition to the working directory
   * @param view view of the connection, which also binds the calls that bypass its endpoint
   */
  constructor(folders: readonly string[], view: View) {
    this.#bounds = new FolderBounds([process.cwd(), ...folders])
    this.#view = view
  }

  /** Runs a call that names a local file; undefined for any other call. */
  async call(name: string, rawArgs: JsonObject, service: LocalFileService): Promise<Outcome | undefined> {
    const { operation, args } = operationOf(name, rawArgs)
    const argument = operation === undefined ? undefined : localArgument(operation.name)
    if (operation === undefined || argument === undefined || typeof args[argument] !== 'string') return undefined
    try {
      refuseByView(this.#view, operation)
      if (this.#view.readonly || name === 'read_operation') throw onlyReads(argument)
      const bound = boundArguments(this.#view, operation, args)
      return argument === 'path'
        ? await this.#upload(operation, bound, service)
        : await this.#download(operation, bound, service)
    } catch (error) {
      if (error instanceof DomainError) return refused(error, error.status === 403 ? [myPermissions] : [])
      throw error
    }
  }

  async #upload(operation: AnyOperation, args: Arguments, { api }: LocalFileService): Promise<Outcome> {
    const { path, filename, mime_type, text, content_base64, ...rest } = args
    if (text != null || content_base64 != null)
      return invalidArguments([issueItem(['path'], 'value_error', 'send exactly one of path, text and content_base64')])
    const name = typeof filename === 'string' ? filename : basename(String(path))
    const read = readArguments(operation, {
      ...rest,
      filename: name,
      // The file itself follows in the form.
      ...(operation.kind === 'files' && { text: '' }),
    })
    if (!read.ok) return invalidArguments(read.items)
    const file = await this.#bounds.within(String(path))
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(error => {
      throw unusable(String(path), error)
    })
    try {
      const type = mimeTypeOf(typeof mime_type === 'string' ? mime_type : null, name)
      const form = new FormData()
      form.set('file', new File([await handle.readFile()], name, { type }))
      const response = await api(requestAddress(operation, read.input), { method: 'POST', body: form })
      return await answered(response)
    } finally {
      await handle.close()
    }
  }

  async #download(operation: AnyOperation, args: Arguments, { api, tool }: LocalFileService): Promise<Outcome> {
    const { save_to, overwrite, ...rest } = args
    const read = readArguments(operation, rest)
    if (!read.ok) return invalidArguments(read.items)
    const target = await this.#bounds.within(String(save_to))
    const replaces = overwrite === true
    if (!replaces && (await stat(target).catch(() => undefined)) !== undefined) throw exists(String(save_to))
    if (this.#view.boardId !== undefined) {
      const probe = await tool(operation.name, { ...rest, max_chars: 1 })
      if (!probe.ok) return probe
    }
    const url = requestAddress(operation, read.input)
    const response = await api(url, { method: 'GET' })
    if (!response.ok || response.body === null) return answered(response)
    const hash = createHash('sha256')
    const partial = join(dirname(target), `.${basename(target)}.${randomUUID()}`)
    try {
      const body = Readable.fromWeb(response.body)
      body.on('data', chunk => hash.update(chunk as Buffer))
      await pipeline(body, createWriteStream(partial, { flags: 'wx', mode: 0o600 }))
      const { size } = await stat(partial)
      if (replaces) await rename(partial, target)
      else await copyFile(partial, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
      const mime_type = (response.headers.get('content-type') ?? 'application/octet-stream').split(';')[0]
      const value = {
        filename: basename(target),
        mime_type,
        size,
        sha256: hash.digest('hex'),
        saved_to: target,
        url,
      }
      return succeeded({ value, text: JSON.stringify(value) })
    } catch (error) {
      throw isThere(error) ? exists(String(save_to)) : unusable(String(save_to), error)
    } finally {
      await rm(partial, { force: true })
    }
  }
}

const onlyReads = (argument: string): DomainError =>
  new DomainError('READ_ONLY', `${argument} uses a local file, which calls that only read cannot do. Leave it out.`)

const exists = (path: string): DomainError =>
  new DomainError('VALIDATION_ERROR', `${path} already exists. Name another file, or send overwrite: true.`, {
    field: 'save_to',
  })

const isThere = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST'

/** The error for a file that cannot be read or written. */
function unusable(path: string, error: unknown): unknown {
  if (error instanceof DomainError || !(error instanceof Error) || !('code' in error)) return error
  return new DomainError('VALIDATION_ERROR', `${path} cannot be used: ${String(error.code)}.`, { field: 'path' })
}

/** The API's answer as a tool answer. */
async function answered(response: Response): Promise<Outcome> {
  const body: unknown = await response.json().catch(() => ({}))
  if (response.ok) {
    const value = compact(leanValue(body) as JsonObject)
    return succeeded({ value, text: JSON.stringify(value) })
  }
  const detail = isObject(body) ? body.detail : undefined
  return { ok: false, error: { status: response.status, detail } }
}
