import type { ReadResourceResult } from '@modelcontextprotocol/server'
import { operationByName } from '@specboard/contract'
import { DomainError } from '@specboard/domain'
import { UnknownResource } from '../backend.ts'
import { isText, readFile } from '../calls/download.ts'
import type { Reader } from '../calls/reader.ts'
import { guides } from '../guides.ts'
import { fullDescription } from '../tools/full-schema.ts'
import { boardPage, guidelinesPage, mePage } from './board-pages.ts'
import { cardPage } from './card-page.ts'
import { codeBlock } from './entry.ts'
import { Page } from './page.ts'
import { ideationPage, refinementPage, sprintPage } from './planning-pages.ts'
import { specPage } from './spec-page.ts'
import { addressOf, type ResourceAddress } from './uris.ts'

/** How long clients may cache a page, ms: guides and operations change only with the version, records at any time. */
const ttl = { fixed: 3_600_000, record: 0 } as const

const pages = {
  board: boardPage,
  guidelines: guidelinesPage,
  ideation: ideationPage,
  refinement: refinementPage,
  spec: specPage,
  sprint: sprintPage,
  card: cardPage,
} as const

/**
 * The contents of a resource (mcp 12).
 * @throws UnknownResource for one that does not exist or that the caller may not see
 */
export async function readResource(reader: Reader, uri: string): Promise<ReadResourceResult> {
  const address = addressOf(uri)
  const fixed = address === undefined ? undefined : fixedPage(address)
  if (fixed !== undefined) return markdown(uri, fixed, ttl.fixed)
  if (address === undefined) throw new UnknownResource(uri)
  try {
    if (address.kind === 'attachment') return await attachment(reader, uri, address)
    return markdown(uri, await recordPage(reader, address), ttl.record)
  } catch (error) {
    if (error instanceof DomainError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN'))
      throw new UnknownResource(uri)
    throw error
  }
}

/** A page that needs no record: a guide or an operation; undefined for any other address. */
export function fixedPage(address: ResourceAddress): string | undefined {
  if (address.kind === 'guide') {
    const guide = Object.hasOwn(guides, address.topic) ? guides[address.topic] : undefined
    return guide === undefined ? undefined : `# Guide ${guide.title}\n\n${guide.text}`
  }
  return address.kind === 'operation' ? operationPage(address.name) : undefined
}

function operationPage(name: string): string | undefined {
  const operation = operationByName.get(name)
  if (operation === undefined) return undefined
  const { method, path, permission, input_schema, output_shape, errors } = fullDescription(operation)
  return new Page(`Operation ${name}`, undefined, [operation.title])
    .section('What it does', [operation.description], '')
    .facts('Call', { method, path, permission })
    .section('Arguments', [codeBlock('json', JSON.stringify(input_schema))], 'find_operations with detail full')
    .section('Answer', [output_shape], 'find_operations with detail full')
    .section(
      'Errors',
      Object.entries(errors).map(([code, status]) => `- ${status} ${code}`),
      '',
    )
    .toString()
}

function recordPage(reader: Reader, address: ResourceAddress): Promise<string> {
  if (address.kind === 'me') return mePage(reader)
  if (Object.hasOwn(pages, address.kind) && 'id' in address)
    return pages[address.kind as keyof typeof pages](reader, address.id)
  throw new DomainError('NOT_FOUND', 'No such resource.')
}

const markdown = (uri: string, text: string, ttlMs: number): ReadResourceResult => ({
  contents: [{ uri, mimeType: 'text/markdown', text }],
  ttlMs,
  cacheScope: 'private',
})

async function attachment(
  reader: Reader,
  uri: string,
  { boardId, cardId, id }: Extract<ResourceAddress, { kind: 'attachment' }>,
): Promise<ReadResourceResult> {
  const { file } = await reader.answer('download_attachment', { board_id: boardId, card_id: cardId, attachment_id: id })
  if (file === undefined) throw new UnknownResource(uri)
  const { mimeType, bytes } = await readFile(file, { keeps: () => true })
  const body = isText(mimeType) ? { text: bytes.toString('utf8') } : { blob: bytes.toString('base64') }
  return { contents: [{ uri, mimeType, ...body }], ttlMs: ttl.record, cacheScope: 'private' }
}
