import { useQuery } from '@tanstack/react-query'
import { Mermaid } from '../../components/mermaid/mermaid.tsx'
import { NotationText } from '../../components/notation-text.tsx'
import { Failure } from '../../components/refusal.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'
import { Caption, type Captioned } from './caption.tsx'
import { Drawn } from './drawn.tsx'
import { readScene } from './excalidraw.ts'
import { SceneView } from './scene.tsx'

interface DiagramProps {
  readonly designId: string
  readonly diagramId: string
  readonly caption: Captioned
  /** If undefined, the current version. */
  readonly version: number | undefined
}

/**
 * A diagram: an SVG as an image, in which nothing runs or loads; Mermaid and Excalidraw scenes drawn; other notations as
 * their text.
 */
export function Diagram({ designId: design_id, diagramId: diagram_id, caption, version }: DiagramProps) {
  const { data, error } = useQuery({
    queryKey: keys.part('architecture_design', design_id, 'payload', { diagram_id, version }),
    queryFn: () => client.getDiagramPayload({ design_id, diagram_id, ...(version !== undefined && { version }) }),
    retry: false,
  })
  const { title } = caption
  if (data === undefined)
    return (
      <>
        <Caption {...caption} />
        <Failure error={error} />
      </>
    )
  const { format, payload } = data
  if (format === 'svg' && typeof payload === 'string')
    return (
      <Drawn caption={caption} source={payload} ending=".svg">
        <img className="drawn" alt={title} src={`data:image/svg+xml,${encodeURIComponent(payload)}`} />
      </Drawn>
    )
  const elements = format === 'excalidraw_json' ? readScene(payload) : []
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2)
  if (elements.length > 0)
    return (
      <Drawn caption={caption} source={text} ending=".excalidraw">
        <SceneView elements={elements} title={title} />
      </Drawn>
    )
  if (text === '' || format !== 'mermaid')
    return (
      <>
        <Caption {...caption} />
        {text === '' ? (
          <p className="muted">{messages.architecture.noContent}</p>
        ) : (
          <NotationText text={text} label={title} />
        )}
      </>
    )
  return (
    <Drawn caption={caption} source={text} ending=".mmd">
      <Mermaid text={text} label={title} />
    </Drawn>
  )
}
