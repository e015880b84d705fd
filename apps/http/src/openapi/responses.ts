import type { AnyOperation } from '@specboard/contract'
import { exampleName, json } from './content.ts'
import { errorsOf } from './errors.ts'
import { readsRepresentation } from './headers.ts'
import { linksOf } from './links.ts'
import type { OperationSchemas } from './schemas.ts'

const component = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** What an operation can answer, by status: its success, 304 where a tag is heeded, and its refusals. */
export function responsesOf(operation: AnyOperation, schemas: OperationSchemas, among: readonly AnyOperation[]) {
  const success = successOf(operation, schemas)
  const links = linksOf(operation, among)
  const refusals = [...errorsOf(operation)].map(
    ([status, codes]) => [status, { description: codes.join(', '), content: json(component('Error'), codes) }] as const,
  )
  return {
    [operation.status]: Object.keys(links).length > 0 ? { ...success, links } : success,
    ...(operation.otherStatus !== undefined && { [operation.otherStatus]: success }),
    ...(readsRepresentation(operation) && { 304: { description: 'Not modified.' } }),
    ...Object.fromEntries(refusals),
    ...(operation.permission !== 'public' && {
      422: {
        description: 'Invalid input.',
        content: json(component('HTTPValidationError'), ['HTTPValidationError']),
      },
    }),
  }
}

function successOf(operation: AnyOperation, { answer }: OperationSchemas) {
  const { kind, fileTypes } = operation
  if (kind === 'file') {
    const content = Object.fromEntries(fileTypes.map(type => [type, { schema: fileSchema(type) }]))
    return { description: 'The file.', content }
  }
  const content = answer === undefined ? undefined : json(answer, [exampleName(operation, 'answer')])
  if (kind === 'events') {
    const stream = { 'text/event-stream': { schema: { description: serverSentEvents } } }
    return { description: 'A stream of events, or those there are.', content: { ...stream, ...content } }
  }
  return content === undefined ? { description: 'Done.' } : { description: 'Success.', content }
}

/** Without a type: some readers of the document take the schema for that of the whole stream, others of each event. */
const serverSentEvents = 'Server-sent events; the data of each is JSON.'

/** A file of text is one string; of any other only its bytes are known. */
const fileSchema = (type: string) =>
  type.startsWith('text/') || type === 'application/jsonl'
    ? { type: 'string' as const }
    : { type: 'string' as const, format: 'binary' }
