/** The values of `--values`: read from a file, and compared with the input types of the target. */
import { getNamedType, getNullableType, isInputObjectType, type GraphQLInputObjectType } from 'graphql'
import type { Data } from '../../contract/check.js'
import type { Shapes } from '../../contract/shape.js'
import { isObject } from '../../shared/json.js'
import { suggestion } from '../../shared/mistakes.js'
import { fits, inputTypesIn, type GivenValues, type InputSource, type Send } from '../../writing/inputs.js'
import { fileYaml, UsageError } from '../options.js'

type Path = readonly string[]

export interface ValuesFile {
  readonly values: GivenValues
  /** Throws a UsageError with one line for each value that the target's input types do not take. */
  readonly compare: (inputs: InputSource, send: Send) => Promise<void>
}

/** Reads a file, or takes an object. Throws a UsageError with one line for each mistake. */
export function readValues(given: string | object, { schema }: Shapes): ValuesFile {
  const file = typeof given === 'string' ? fileYaml('--values', given) : undefined
  const data = file ? file.data : given
  const placeOf = (path: Path) =>
    file ? `--values: ${file.placeOf(path)} ${path.join('.')}`.trimEnd() : ['values', ...path].join('.')
  const names = new Map([
    ...[...inputTypesIn(schema).keys()].map((name) => [name, name] as const),
    ...Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap(({ name, args }) =>
      args.filter((it) => it.name === 'node').map((it) => [name, getNamedType(it.type).name] as const),
    ),
  ])
  const say = (path: Path, text: string) => `${placeOf(path)} ${text}`
  if (!isObject(data)) throw new UsageError(say([], 'must hold values by input type or mutation.'))
  const mistakes = Object.entries(data).flatMap(([name, fields]) =>
    isObject(fields) ? [] : [say([name], 'must hold the values of fields.')],
  )
  refuse(mistakes)
  const byName = data as Readonly<Record<string, Data>>

  async function mistakesIn(inputs: InputSource, send: Send, name: string): Promise<readonly string[]> {
    let type: GraphQLInputObjectType | undefined
    try {
      type = await inputs.typeOf(send, names.get(name) ?? name)
    } catch {
      // The first check reports a target that does not answer.
      return []
    }
    if (type) return valueMistakes(type, byName[name] as Data, [name])
    // A type of ours that the server hides is filled as it is written.
    return names.has(name) ? [] : [say([name], `is no input type or mutation. ${suggestion(name, [...names.keys()])}`)]
  }

  function valueMistakes(type: GraphQLInputObjectType, values: Data, at: Path): readonly string[] {
    const known = type.getFields()
    return Object.entries(values).flatMap(([name, value]) => {
      const path = [...at, name]
      const field = Object.hasOwn(known, name) ? known[name] : undefined
      if (!field) return [say(path, `is unknown. ${suggestion(name, Object.keys(known))}`)]
      const nested = getNullableType(field.type)
      if (isInputObjectType(nested) && isObject(value)) return valueMistakes(nested, value as Data, path)
      return fits(field.type, value) ? [] : [say(path, `does not fit the type ${String(field.type)}.`)]
    })
  }

  return {
    values: (name) => (Object.hasOwn(byName, name) ? (byName[name] as Data) : {}),
    async compare(inputs, send) {
      const found: string[] = []
      for (const name of Object.keys(byName)) found.push(...(await mistakesIn(inputs, send, name)))
      refuse(found)
    },
  }
}

function refuse(mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new UsageError(mistakes.join('\n'))
}
