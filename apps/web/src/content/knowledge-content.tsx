import { useQuery } from '@tanstack/react-query'
import { Markdown } from '../components/markdown.tsx'
import { Failure } from '../components/refusal.tsx'
import type { KnowledgeCalls } from './knowledge-calls.ts'

interface KnowledgeContentProps {
  readonly id: string
  readonly calls: KnowledgeCalls
}

/** The content of a knowledge item, read when it is shown. */
export function KnowledgeContent({ id, calls }: KnowledgeContentProps) {
  const { data, error } = useQuery({ queryKey: [...calls.key, id], queryFn: () => calls.read(id) })
  return data === undefined ? <Failure error={error} /> : <Markdown text={data.content} />
}
