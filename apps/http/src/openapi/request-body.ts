import type { AnyOperation } from '@specboard/contract'
import { exampleName, json } from './content.ts'
import type { OperationSchemas } from './schemas.ts'

const upload = {
  'multipart/form-data': {
    schema: {
      type: 'object' as const,
      properties: { file: { type: 'string' as const, format: 'binary' } },
      required: ['file'],
    },
  },
}

const uploads = {
  'multipart/form-data': {
    schema: {
      type: 'object' as const,
      properties: { file: { type: 'array' as const, items: { type: 'string' as const, format: 'binary' } } },
      required: ['file'],
    },
  },
}

/** The body of an operation; undefined for one without. */
export function requestBodyOf(operation: AnyOperation, { body }: OperationSchemas) {
  if (operation.kind === 'upload') return { required: true, content: upload }
  if (body === undefined) return undefined
  if (operation.kind === 'files')
    return { required: true, content: { ...json(body, [exampleName(operation, 'request')]), ...uploads } }
  return { required: !operation.bodyOptional, content: json(body, [exampleName(operation, 'request')]) }
}
