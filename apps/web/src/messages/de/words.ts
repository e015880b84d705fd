/*
 * The style of the German texts. They address nobody: buttons are infinitives (Anlegen, Verschieben), sentences are about the thing. Names of operations, fields, codes and tools stay as they are, and so do Board, Spec, Sprint, Ideation,
 * Refinement, Gate, Agent, Label, Commit, Branch and Pull Request.
 *
 * acceptance criterion  Akzeptanzkriterium     knowledge         Wissen
 * approve, approval     freigeben, Freigabe    lane              Bahn
 * assignee              Zuständig              lineage           Herkunft
 * attempt               Versuch                observed run      beobachteter Lauf
 * card                  Karte                  permission        Berechtigung
 * checkpoint            Zwischenstand          preset            Rolle
 * claim                 Übernahme              proof, evidence   Nachweis
 * confidence            Konfidenz              release, give back  zurückgeben
 * contract              API-Vertrag            report            Bericht
 * coverage              Abdeckung              rework            Nacharbeit
 * drift                 Abweichung             rule              Regel
 * due                   fällig                 scenario          Szenario
 * evaluate, evaluation  bewerten, Bewertung    share, grant      geteilter Zugriff, Arbeitszugriff
 * gate                  Gate                   timeline          Zeitachse
 * guideline             Leitlinie              validate          prüfen, Prüfung
 * inbox                 Eingang                verdict           Urteil
 * key                   Schlüssel              view              Ansicht
 *
 * Nothing of the pages is imported here, because these texts are loaded before them.
 */

const numbers = new Intl.NumberFormat(
  typeof document === 'undefined' ? 'de' : [...navigator.languages.filter(tag => tag.startsWith('de')), 'de'],
)

/** A number as it is written in German: 1.234. */
export const number = (value: number): string => numbers.format(value)

/** A difference as it is written in German, with its sign: +12. */
export const signed = (value: number): string => (value > 0 ? `+${number(value)}` : number(value))

const series = new Intl.ListFormat('de')

/** Names in a sentence: Ada, Grace und Linus. */
export const listed = (names: readonly string[]): string => series.format(names)

/** A number of things: "1 Karte", "1.234 Karten". */
export const counted = (count: number, one: string, many: string): string =>
  `${number(count)} ${count === 1 ? one : many}`
