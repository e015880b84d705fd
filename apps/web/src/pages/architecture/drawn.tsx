import { type ReactNode, useRef } from 'react'
import { drawingIn } from '../../charts/picture.ts'
import { PictureItems } from '../../charts/picture-items.tsx'
import { ActionMenu } from '../../components/action-menu.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { messages } from '../../messages/messages.ts'

const texts = messages.architecture

interface DrawnProps {
  readonly title: string
  readonly children: ReactNode
}

/** A drawing that can fill the screen and be saved as a picture. */
export function Drawn({ title, children }: DrawnProps) {
  const root = useRef<HTMLDivElement>(null)
  const toggle = () =>
    void (document.fullscreenElement === null ? root.current?.requestFullscreen() : document.exitFullscreen())
  return (
    <div ref={root} className="drawn-frame">
      <div className="row drawn-tools">
        {document.fullscreenEnabled && (
          <IconButton icon="expand" label={texts.fullScreen(title)} title={texts.fullScreenHint} onClick={toggle} />
        )}
        <ActionMenu label={messages.analytics.save(title)}>
          {choose => (
            <PictureItems picture={() => root.current && drawingIn(root.current)} file={title} choose={choose} />
          )}
        </ActionMenu>
      </div>
      {children}
    </div>
  )
}
