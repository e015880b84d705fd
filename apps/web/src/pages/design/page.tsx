import { KindsContext } from '../../components/person.tsx'
import { type Theme, themes } from '../../preferences.ts'
import { Actions } from './actions.tsx'
import { Fields } from './fields.tsx'
import { Foundations } from './foundations.tsx'
import { Messages } from './messages.tsx'
import { people, Signs } from './signs.tsx'
import './design.css'

/** The themes that are shown side by side; the system's theme is always one of these. */
const visibleThemes: readonly Theme[] = themes.filter(theme => theme !== 'system')

/** Every component in every state, light next to dark, for developers; not part of any build. */
export default function DesignPage() {
  return (
    <>
      <div className="bar">
        <h1>Design</h1>
        <span className="bar-line" />
        <span className="muted">Every component in every state. Only `pnpm web` shows this page.</span>
      </div>
      <div className="design">
        {visibleThemes.map(theme => (
          <section key={theme} className={`design-theme ${theme}`} aria-label={theme}>
            <KindsContext value={people}>
              <Foundations />
              <Signs />
              <Actions theme={theme} />
              <Fields theme={theme} />
              <Messages />
            </KindsContext>
          </section>
        ))}
      </div>
    </>
  )
}
