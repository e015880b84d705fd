import { Section } from '../../components/section.tsx'
import { Segments } from '../../components/segments.tsx'
import { usePreferences } from '../../data/use-preferences.ts'
import { messages } from '../../messages/messages.ts'
import { densities, languageChoices, setLanguage, setPreferences, themes } from '../../preferences.ts'

const texts = messages.me.display

/** The display preferences of this browser: language, theme, density (people 6). */
export function Display() {
  const { language, theme, density } = usePreferences()
  return (
    <Section title={texts.title}>
      <p className="muted">{texts.lead}</p>
      <div className="display-choices">
        <span aria-hidden="true">{texts.language}</span>
        <Segments
          label={texts.language}
          options={texts.languages}
          values={languageChoices}
          chosen={language}
          onChoose={setLanguage}
        />
        <span aria-hidden="true">{texts.theme}</span>
        <Segments
          label={texts.theme}
          options={texts.themes}
          values={themes}
          chosen={theme}
          onChoose={chosen => setPreferences({ theme: chosen })}
        />
        <span aria-hidden="true">{messages.board.display.density}</span>
        <Segments
          label={messages.board.display.density}
          options={messages.board.display.densities}
          values={densities}
          chosen={density}
          onChoose={chosen => setPreferences({ density: chosen })}
        />
      </div>
    </Section>
  )
}
