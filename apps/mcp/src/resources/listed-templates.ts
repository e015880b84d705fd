import type { ResourceTemplateType } from '@modelcontextprotocol/server'
import { type AnyOperation, operationByName } from '@specboard/contract'
import { templates } from './templates.ts'

/** The templates whose records a key may read. */
export const listedTemplates = (mayUse: (operation: AnyOperation) => boolean): ResourceTemplateType[] =>
  templates
    .filter(({ operation }) => operation === undefined || mayUse(operationByName.get(operation)!))
    .map(({ operation: _, priority, ...template }) => ({
      ...template,
      annotations: { audience: ['assistant' as const], priority },
    }))
