import { useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { keys } from './keys.ts'

export type Template = Awaited<ReturnType<typeof client.listTemplates>>['items'][number]
export type TemplateType = Template['entity_type']

/** The templates that a board keeps, by name (web 4). */
export const useTemplates = (boardId: string) =>
  useQuery({
    queryKey: keys.list(boardId, 'templates'),
    queryFn: async () => (await client.listTemplates({ board_id: boardId, limit: 200 })).items,
  })

type CardFields = Omit<Parameters<typeof client.createCard>[0], 'board_id' | 'title'>
type SpecFields = Omit<Parameters<typeof client.createSpec>[0], 'board_id' | 'title'>

/** The fields that a template of each type fills in, validated by the service like those of such a record. */
interface TemplateFields {
  readonly card: CardFields
  readonly spec: SpecFields
}

/** The fields of a template except the title, as arguments of the call that creates such a record. */
export function filledBy<Type extends TemplateType>(
  template: Template | undefined,
  _: Type,
): TemplateFields[Type] | undefined {
  if (template === undefined) return undefined
  const { title: _title, ...fields } = template.content
  return fields as TemplateFields[Type]
}

/** The title in a template; '' if it has none. */
export const titleIn = (template: Template | undefined): string =>
  typeof template?.content.title === 'string' ? template.content.title : ''
