/** The value of `--name=value` among the arguments of a command; undefined without it. */
export const optionOf = (args: readonly string[], name: string): string | undefined =>
  args.find(arg => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
