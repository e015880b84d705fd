import { type Command, Option } from 'commander'

/**
 * The commands that take settings as flags. The code that knows and checks settings takes a quarter of a verb's start
 * time, so it is loaded with the first command that takes any.
 */
export class SettingFlags {
  readonly #waiting = new Map<Command, readonly string[] | undefined>()
  readonly #parents = new Set<Command>()

  /**
   * Lets a command take settings as flags, all of them unless some are named; each has a `SPECBOARD_…` variable of the
   * same name.
   */
  readonly of = (command: Command, names?: readonly string[]): Command => {
    this.#waiting.set(command, names)
    const { parent } = command
    if (parent !== null && !this.#parents.has(parent)) {
      this.#parents.add(parent)
      parent.hook('preSubcommand', (_, called) => this.#add(called))
    }
    return command
  }

  /** Adds the flags of every command, for output that shows the whole command line. */
  async addAll(): Promise<void> {
    for (const command of [...this.#waiting.keys()]) await this.#add(command)
  }

  async #add(command: Command): Promise<void> {
    if (!this.#waiting.has(command)) return
    const names = this.#waiting.get(command)
    this.#waiting.delete(command)
    const [{ settingNames }, { settingTable }, { flagOf, variableOf }] = await Promise.all([
      import('./settings.ts'),
      import('./setting-table.ts'),
      import('./setting-sources.ts'),
    ])
    for (const name of settingNames.filter(each => names?.includes(each) !== false || each === 'configFile')) {
      const { takes, secret } = settingTable[name]
      if (!secret) command.addOption(new Option(`--${flagOf(name)} <value>`, `${takes} [${variableOf(name)}]`))
    }
  }
}
