import { useState } from 'react'
import { ActionButton } from '../../components/action-button.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { saveFile } from '../../data/save-file.ts'
import ImportForm from '../../exchange/import-form.tsx'
import { messages } from '../../messages/messages.ts'

const texts = messages.settings.exchange

/** Exports a board as one file, and imports files into it (exchange 1). */
export const Exchange = ({ board }: { readonly board: BoardListItem }) => (
  <>
    <Export board={board} />
    <section className="settings-group">
      <h2>{texts.import}</h2>
      <ImportForm boardId={board.id} />
    </section>
  </>
)

function Export({ board }: { readonly board: BoardListItem }) {
  const [events, setEvents] = useState(true)
  const [attachments, setAttachments] = useState(true)
  return (
    <section className="settings-group">
      <h2>{texts.export}</h2>
      <p className="muted">{texts.exportLead}</p>
      <label className="row">
        <input type="checkbox" checked={events} onChange={event => setEvents(event.target.checked)} /> {texts.events}
      </label>
      <label className="row">
        <input type="checkbox" checked={attachments} onChange={event => setAttachments(event.target.checked)} />{' '}
        {texts.attachments}
      </label>
      <div className="row">
        <ActionButton
          needs={['BOARDS_EXPORT']}
          onAct={async () => saveFile(await client.exportBoard({ board_id: board.id, events, attachments }))}
        >
          {texts.download}
        </ActionButton>
      </div>
    </section>
  )
}
