import { Dialog } from '../components/dialog.tsx'
import { DisplaySwitch } from '../components/display-parts.tsx'
import { type KeyBinding, useBindings } from '../components/keyboard.ts'
import { usePreferences } from '../data/use-preferences.ts'
import { messages } from '../messages/messages.ts'
import { setPreferences } from '../preferences.ts'

const isMac = navigator.platform.startsWith('Mac')

const keyLabels: Readonly<Record<string, string>> = {
  mod: isMac ? '⌘' : 'Ctrl',
  alt: isMac ? '⌥' : 'Alt',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
}

const Keys = ({ keys }: { readonly keys: string }) => (
  <span className="row">
    {keys.split(/[ +]/).map(key => (
      <kbd key={key}>{keyLabels[key] ?? (key.length === 1 ? key.toUpperCase() : key)}</kbd>
    ))}
  </span>
)

const List = ({ title, bindings }: { readonly title: string; readonly bindings: readonly KeyBinding[] }) =>
  bindings.length === 0 ? null : (
    <section className="stack">
      <h3>{title}</h3>
      <dl className="key-list">
        {bindings.map(({ keys, says }) => (
          <div key={keys} className="row">
            <dt className="grow">{says}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )

/** The list of key bindings on this page. */
export default function KeySheet({ onClose }: { readonly onClose: () => void }) {
  const bindings = useBindings()
  const { isWithoutLetters } = usePreferences()
  const { keySheet } = messages.shell
  return (
    <Dialog title={keySheet.title} onClose={onClose}>
      <DisplaySwitch
        label={keySheet.letters}
        isOn={!isWithoutLetters}
        onChange={isOn => setPreferences({ isWithoutLetters: !isOn })}
      />
      <List title={keySheet.here} bindings={bindings.filter(({ place }) => place === 'here')} />
      <List title={keySheet.everywhere} bindings={bindings.filter(({ place }) => place === 'everywhere')} />
    </Dialog>
  )
}
