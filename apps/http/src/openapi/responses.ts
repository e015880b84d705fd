import type { AnyOperation } from '@specboard/contract'
import { exampleName, json } from './content.ts'
import { errorsOf } from './errors.ts'
import { readsRepresentation } from './headers.ts'
import { linksOf } from './links.ts'
import type { OperationSchemas } from './schemas.ts'

const component = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The answers of an operation, by status: its success, 304 if it supports tags, and its refusals. */
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
    ...((operation.permission !== 'public' || operation.body !== undefined) && {
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
    return { description: 'A stream of events, or a list of them.', content: { ...stream, ...content } }
  }
  return content === undefined ? { description: 'Done.' } : { description: 'Success.', content }
}

/** Without a type: some consumers of the document apply the schema to the whole stream, others to each event. */
const serverSentEvents = 'Server-sent events; the data of each is JSON.'

/** A text file is one string; for any other only its bytes are known. */
const fileSchema = (type: string) =>
  type.startsWith('text/') || type === 'application/jsonl'
    ? { type: 'string' as const }
    : { type: 'string' as const, format: 'binary' }
