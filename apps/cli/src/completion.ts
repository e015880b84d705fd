import { UsageError } from './frame/usage-error.ts'
import { type Verb, withInner } from './frame/verb-tree.ts'

/** The supported shells. */
const scripts: Readonly<Record<string, (tree: Verb) => string>> = { bash, zsh, fish }

/** `specboard completion`: the script with which a shell completes verbs and flags; completing starts no process. */
export function completion(shell: string, tree: Verb): string {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (script === undefined)
    throw new UsageError(`The shell must be one of ${Object.keys(scripts).join(', ')}, not "${shell}".`)
  return script(tree)
}

const nameOf = (verb: Verb): string => verb.words.join(' ')

/** What may follow a verb: the verbs below it, and its flags. */
const wordsAfter = (verb: Verb): string[] => [
  ...verb.verbs.map(({ words }) => words.at(-1)!),
  ...verb.flags.flatMap(({ names }) => names),
  '--help',
]

/** The lines with which both shells find the verb in the command line typed so far. */
const verbPattern = (tree: Verb): string =>
  withInner(tree)
    .filter(({ words }) => words.length > 0)
    .map(verb => `"${nameOf(verb)}"`)
    .join('|')

function bash(tree: Verb): string {
  const cases = withInner(tree).map(verb => `    "${nameOf(verb)}") words="${wordsAfter(verb).join(' ')}" ;;`)
  return `# Completion of specboard for bash: eval "$(specboard completion bash)"
_specboard() {
  local verb="" words="" i next
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${verb:+$verb }\${COMP_WORDS[i]}"
    case "$next" in ${verbPattern(tree)}) verb="$next" ;; esac
  done
  case "$verb" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _specboard specboard
`
}

/** A text in single quotes, in which zsh and fish interpret nothing. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

function zsh(tree: Verb): string {
  const entriesOf = (verb: Verb): string[] => [
    ...verb.verbs.map(({ words, description }) => `${words.at(-1)!}:${description}`),
    ...verb.flags.flatMap(({ names, description }) => names.map(name => `${name}:${description}`)),
  ]
  const cases = withInner(tree).map(
    verb => `    ${quoted(nameOf(verb))}) entries=(${entriesOf(verb).map(quoted).join(' ')}) ;;`,
  )
  return `#compdef specboard
# Completion of specboard for zsh: eval "$(specboard completion zsh)"
_specboard() {
  local verb="" next word
  local -a entries
  for word in \${words[2,CURRENT-1]}; do
    next="\${verb:+$verb }$word"
    case "$next" in ${verbPattern(tree)}) verb="$next" ;; esac
  done
  case "$verb" in
${cases.join('\n')}
  esac
  _describe specboard entries || _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _specboard specboard
`
}

function fish(tree: Verb): string {
  const lines = withInner(tree).flatMap(verb => {
    const names = verb.verbs.map(({ words }) => words.at(-1)!)
    const verbConditions = verb.words.map(word => `__fish_seen_subcommand_from ${word}`)
    const notInner = names.length === 0 ? [] : [`not __fish_seen_subcommand_from ${names.join(' ')}`]
    const condition = (conditions: readonly string[]) =>
      conditions.length === 0 ? '' : ` -n ${quoted(conditions.join('; and '))}`
    return [
      ...verb.verbs.map(
        ({ words, description }) =>
          `complete -c specboard -f${condition([...verbConditions, ...notInner])} -a ${words.at(-1)!} -d ${quoted(description)}`,
      ),
      ...verb.flags.map(({ names: [first, second], description, value }) => {
        const long = (second ?? first!).replace(/^--/, '')
        const short = second === undefined ? '' : ` -s ${first!.slice(1)}`
        return `complete -c specboard${condition(verbConditions)}${short} -l ${long}${value === '' ? '' : ' -r'} -d ${quoted(description)}`
      }),
    ]
  })
  return `# Completion of specboard for fish: specboard completion fish | source\n${lines.join('\n')}\n`
}
