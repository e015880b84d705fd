import { createWriteStream, openAsBlob } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type AnyOperation, operationByName, registry } from '@specboard/contract'
import { type Argument, pathsOf, pick, planOf, readArguments } from '@specboard/mcp/calling'
import { query as jsonPath } from 'jsonpath-rfc9535'
import { errorMessage } from '../error-message.ts'
import { unusableFile } from '../frame/failure.ts'
import { printJson } from '../frame/output.ts'
import { RefusalError, send } from '../frame/send.ts'
import { keyed, type Target } from '../frame/target.ts'
import { UsageError } from '../frame/usage-error.ts'
import { callLine, dataOf } from './arguments.ts'

const usage = `Usage: specboard call OPERATION [--argument value]... [options]
       specboard call --list [word]
       specboard call OPERATION --help

Call any operation by its name. Arguments are flat, as in MCP: path, query and body together.

Options:
  --data <json>      further arguments: JSON, @file, or - for standard input
  --fields <paths>   only these fields, separated by commas
  --query <path>     only what a JSONPath ($...) finds
  --file <path>      the file to upload
  -o <path>          where to save a returned file; default: standard output

Examples:
  specboard call list_boards --query '$[*].name'
  specboard call create_ideation --board_id PRO --title "Export to CSV"
  echo '{"title": "From a script"}' | specboard call create_ideation --board_id PRO --data -
  specboard call --list webhook
  specboard call move_card --help`

/** The flags of `specboard call` itself; the remaining ones are arguments. */
interface OwnFlags {
  readonly fields?: string
  readonly query?: string
  readonly file?: string
  readonly output?: string
}

/** `specboard call`: calls an operation and prints its JSON answer (exchange 3). */
export async function call(words: readonly string[], targetNow: () => Promise<Target>): Promise<number> {
  const { operation: name, flags } = callLine(words)
  const listing = flags.find(([flag]) => flag === 'list')
  if (listing !== undefined)
    return list(listing[1] === true ? name : listing[1], { isJson: flags.some(([flag]) => flag === 'json') })
  const isHelp = flags.some(([flag]) => flag === 'help' || flag === 'h')
  if (name === undefined && !isHelp)
    throw new UsageError('Which operation? "specboard call --list" lists all, "specboard call --help" says how.')
  if (name === undefined) {
    console.log(usage)
    return 0
  }
  const operation = operationByName.get(name)
  if (operation === undefined)
    throw new UsageError(`There is no operation "${name}". "specboard call --list" lists all of them.`)
  if (isHelp) return help(operation)
  const { args, own } = split(operation, flags)
  try {
    await answered(operation, args, own, await targetNow())
    return 0
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    printJson(error.answer)
    return 1
  }
}

/** The flags of `call` itself; no operation has arguments of these names except `fields`, which means the same. */
const ownNames: ReadonlySet<string> = new Set(['fields', 'query', 'file', 'o', 'output'])

/** Divides the flags into the arguments of the operation and those of `call` itself. */
function split(operation: AnyOperation, flags: readonly (readonly [string, string | true])[]) {
  const takes = planOf(operation).arguments
  const own: Record<string, string> = {}
  const data: Record<string, unknown> = {}
  const args: Record<string, unknown> = {}
  for (const [flag, value] of flags) {
    const name = flag.replaceAll('-', '_')
    if (name === 'json') continue
    if (ownNames.has(name)) own[name === 'o' ? 'output' : name] = textOf(flag, value)
    else if (name === 'data') Object.assign(data, dataOf(textOf(flag, value)))
    else args[name] = flagValue(takes.get(name), value)
  }
  return { args: { ...data, ...args }, own: own as OwnFlags }
}

function textOf(flag: string, value: string | true): string {
  if (value === true) throw new UsageError(`--${flag} needs a value.`)
  return value
}

/** The value of a flag: lists and objects are JSON; a list of texts may be separated by commas. */
function flagValue(argument: Argument | undefined, value: string | true): unknown {
  if (value === true || argument === undefined) return value
  if (argument.kind === 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return argument.kind === 'array' ? value.split(',') : value
  }
}

async function answered(
  operation: AnyOperation,
  args: Readonly<Record<string, unknown>>,
  own: OwnFlags,
  target: Target,
): Promise<void> {
  const file = await fileOf(operation, own)
  const read = readArguments(operation, file === undefined ? args : { filename: file.name, text: '', ...args })
  for (const warning of read.warnings) console.error(`specboard: ${warning}`)
  if (!read.ok) throw new RefusalError(operation.name, 422, { detail: read.items })
  const response = await send(keyed(target), operation, read.input, { file })
  if (operation.kind === 'file' && !isJson(response)) return await save(response, own.output)
  const answer: unknown = response.status === 204 ? null : await response.json()
  printJson(narrowed(answer, own))
}

async function fileOf(operation: AnyOperation, { file }: OwnFlags): Promise<File | undefined> {
  if (operation.kind !== 'upload') return undefined
  if (file === undefined) throw new UsageError(`${operation.name} takes a file. Name it with --file.`)
  try {
    await access(file, constants.R_OK)
    return new File([await openAsBlob(file)], basename(file))
  } catch (error) {
    throw unusableFile(file, 'read', error)
  }
}

const isJson = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('application/json') ?? false

/** Writes the bytes of an answer to a file, otherwise to standard output. */
async function save(response: Response, file: string | undefined): Promise<void> {
  const bytes = Readable.fromWeb(response.body!)
  if (file === undefined) await pipeline(bytes, process.stdout, { end: false })
  else
    await pipeline(bytes, createWriteStream(file, { flags: 'wx' })).catch(error => {
      throw unusableFile(file, 'written', error)
    })
}

/** The part of an answer selected by `--fields` and `--query`. */
function narrowed(answer: unknown, { fields, query }: OwnFlags): unknown {
  const selection = fields === undefined ? answer : picked(answer, pathsOf(fields))
  if (query === undefined) return selection
  try {
    return jsonPath(selection as Parameters<typeof jsonPath>[0], query)
  } catch (error) {
    throw new UsageError(`--query must be a JSONPath such as $[*].name: ${errorMessage(error)}`)
  }
}

function picked(answer: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(answer)) return answer.map(item => picked(item, paths))
  return typeof answer === 'object' && answer !== null ? pick(answer as Record<string, never>, paths) : answer
}

/** `call --list`: all operations, or those whose name, title or keywords contain a word. */
function list(word: string | undefined, { isJson }: { readonly isJson: boolean }): number {
  const term = word?.toLowerCase() ?? ''
  const searchText = ({ name, title, keywords = [] }: AnyOperation) =>
    [name, title, ...keywords].join(' ').toLowerCase()
  const found = registry
    .filter(operation => searchText(operation).includes(term))
    .map(({ name, permission, description }) => ({ name, permission, description: description.split('\n')[0]! }))
  const width = Math.max(0, ...found.map(({ name }) => name.length))
  if (isJson) printJson({ operations: found })
  else for (const { name, description } of found) console.log(`${name.padEnd(width)}  ${description}`)
  return found.length > 0 ? 0 : 1
}

/** `call OPERATION --help`: the registry's description of it. */
function help(operation: AnyOperation): number {
  const all = [...planOf(operation).arguments.values()]
  const width = Math.max(0, ...all.map(({ name }) => name.length))
  const line = ({ name, kind, required, description, shape }: Argument) => {
    const about = [kind ?? 'value', required ? 'required' : '', description ?? '', shape ?? '']
    return `  --${name.padEnd(width)}  ${about.filter(part => part !== '').join('; ')}`
  }
  console.log(
    `${operation.name}: ${operation.description}\n${operation.method} ${operation.path}, ${operation.permission}\n`,
  )
  console.log(all.length === 0 ? 'It takes no arguments.' : ['Arguments:', ...all.map(line)].join('\n'))
  const example = all.filter(({ required }) => required).map(({ name }) => ` --${name} …`)
  console.log(`\nExample:\n  specboard call ${operation.name}${example.join('')}`)
  return 0
}
