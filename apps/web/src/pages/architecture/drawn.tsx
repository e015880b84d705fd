import { type ReactNode, useRef, useState } from 'react'
import { drawingIn } from '../../charts/picture.ts'
import { PictureItems, saveAs } from '../../charts/picture-items.tsx'
import { ActionMenu } from '../../components/action-menu.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { MenuItem } from '../../components/menu.tsx'
import { opening } from '../../components/part.tsx'
import { messages } from '../../messages/messages.ts'

const Viewer = opening(() => import('../../components/viewer.tsx'))

const texts = messages.viewer

interface DrawnProps {
  readonly title: string
  /** What it is drawn by. */
  readonly source: string
  /** How a file of that ends, with its dot. */
  readonly ending: string
  readonly children: ReactNode
}

/** A drawing that is shown over the whole page, and saved as a picture or as what it is drawn by. */
export function Drawn({ title, source, ending, children }: DrawnProps) {
  const root = useRef<HTMLDivElement>(null)
  const [isLarge, setLarge] = useState(false)
  const save = (
    <ActionMenu label={messages.analytics.save(title)}>
      {choose => (
        <>
          <PictureItems picture={() => root.current && drawingIn(root.current)} file={title} choose={choose} />
          <MenuItem onSelect={choose(() => void saveAs(source, `${title}${ending}`, 'text/plain'))}>
            {texts.saveSource}
          </MenuItem>
        </>
      )}
    </ActionMenu>
  )
  return (
    <div ref={root} className="drawn-frame">
      <div className="row drawn-tools">
        <IconButton icon="expand" label={texts.open(title)} title={texts.openHint} onClick={() => setLarge(true)} />
        {save}
      </div>
      {children}
      {isLarge && (
        <Viewer title={title} save={save} onClose={() => setLarge(false)}>
          {children}
        </Viewer>
      )}
    </div>
  )
}
