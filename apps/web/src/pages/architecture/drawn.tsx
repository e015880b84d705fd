import { type ReactNode, useRef, useState } from 'react'
import { drawingIn } from '../../charts/picture.ts'
import { PictureItems, saveAs } from '../../charts/picture-items.tsx'
import { ActionMenu } from '../../components/action-menu.tsx'
import { MenuItem } from '../../components/menu.tsx'
import { opening } from '../../components/part.tsx'
import { messages } from '../../messages/messages.ts'
import { Caption, type Captioned } from './caption.tsx'

const Viewer = opening(() => import('../../components/viewer.tsx'))

/** Selects the drawing; matches nothing if the text is shown because it could not be drawn. */
const pictures = 'img, svg.drawn'

interface DrawnProps {
  readonly caption: Captioned
  /** The source text of the drawing. */
  readonly source: string
  /** The file extension, with its dot. */
  readonly ending: string
  readonly children: ReactNode
}

/** A drawing that can be shown over the whole page, and saved as a picture or as its source. */
export function Drawn({ caption, source, ending, children }: DrawnProps) {
  const { title } = caption
  const root = useRef<HTMLDivElement>(null)
  const [isLarge, setLarge] = useState(false)
  const saving = (choose: (act: () => void) => () => void) => (
    <>
      {root.current?.querySelector(pictures) && (
        <PictureItems picture={() => root.current && drawingIn(root.current)} file={title} choose={choose} />
      )}
      <MenuItem onSelect={choose(() => void saveAs(source, `${title}${ending}`, 'text/plain'))}>
        {messages.viewer.saveSource}
      </MenuItem>
    </>
  )
  return (
    <>
      <Caption {...caption} onLarge={() => setLarge(true)} saving={saving} />
      <div ref={root} className="drawn-frame">
        {children}
      </div>
      {isLarge && (
        <Viewer
          title={title}
          save={<ActionMenu label={messages.analytics.save(title)}>{saving}</ActionMenu>}
          onClose={() => setLarge(false)}
        >
          {children}
        </Viewer>
      )}
    </>
  )
}
