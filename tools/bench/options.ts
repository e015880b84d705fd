/** The value of `--name=value` among the arguments of a command; undefined without it. */
export const optionOf = (args: readonly string[], name: string): string | undefined =>
  args.find(arg => arg.startsWith(`--${name}=`))?.slice(name.length + 3)

/** What a command is given besides options. */
export const positionalsOf = (args: readonly string[]): readonly string[] =>
  args.slice(2).filter(arg => !arg.startsWith('--'))
