/** The lists of the hand-written server: plain arrays, one kept sorted for each key, and binary search for cursors. */

/** As the mock sorts texts: without case and accents, then the text itself. */
const textKey = (text) => `${text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()}\0${text}`

const keysOf = {
  customers: {
    _id: (row) => row._id,
    full_name: (row) => (row.nameKey ??= textKey(row.full_name)),
    expenses: (row) => row.expenses,
    orders_count: (row) => row.orders_count,
    created_at: (row) => row.created_at,
    updated_at: (row) => row.updated_at,
  },
  segments: {
    _id: (row) => row._id,
    name: (row) => (row.nameKey ??= textKey(row.name)),
    created_at: (row) => row.created_at,
    updated_at: (row) => row.updated_at,
  },
}

/** How many rows stand before the place, or at most at it. */
function boundary(rows, key, value, id, atMost) {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    const row = rows[middle]
    const own = key(row)
    if (own < value || (own === value && (row._id < id || (atMost && row._id === id)))) low = middle + 1
    else high = middle
  }
  return low
}

export function sortedLists(list, rows) {
  const keys = Object.entries(keysOf[list])
  const sorted = Object.fromEntries(
    keys.map(([name, key]) => {
      const order = (a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a._id - b._id)
      return [name, rows.slice().sort(order)]
    }),
  )

  /** A query that was read once is looked up: clients send the same few. */
  const orders = new Map()
  function orderOf(query) {
    const known = orders.get(query)
    if (known) return known
    const given = Object.fromEntries(
      query
        .split(/\s+/)
        .filter(Boolean)
        .map((pair) => pair.split(':')),
    )
    const name = (given.order_by ?? '_id') === 'id' ? '_id' : (given.order_by ?? '_id')
    const dir = given.order_dir ?? 'asc'
    if (!keysOf[list][name] || !['asc', 'desc'].includes(dir)) throw new Error(`The query cannot be ${query}.`)
    const order = { rows: sorted[name], key: keysOf[list][name], down: dir === 'desc', bound: `${list} ${name} ${dir}` }
    if (orders.size < 1000) orders.set(query, order)
    return order
  }

  /** As the mock's: the sort value and the number, bound to list and order. */
  const cursorOf = ({ key, bound }, row) => Buffer.from(JSON.stringify([key(row), row._id, bound])).toString('base64')

  function startOf({ rows: all, key, down, bound }, after) {
    if (!after) return 0
    const [value, id, order] = JSON.parse(Buffer.from(after, 'base64'))
    if (order !== bound) throw new Error('The cursor was given for another list or another order.')
    return down ? all.length - boundary(all, key, value, id, false) : boundary(all, key, value, id, true)
  }

  return {
    page({ query, first, after }) {
      const order = orderOf(query)
      const all = order.rows
      const start = startOf(order, after)
      const end = Math.min(start + (first ?? 25), all.length)
      const edges = []
      for (let at = start; at < end; at++) {
        const node = order.down ? all[all.length - 1 - at] : all[at]
        edges.push({ node, cursor: cursorOf(order, node) })
      }
      return {
        edges,
        pageInfo: {
          startCursor: edges[0]?.cursor ?? null,
          endCursor: edges[edges.length - 1]?.cursor ?? null,
          hasNextPage: end < all.length,
          hasPreviousPage: start > 0,
        },
      }
    },
    insert(row) {
      for (const [name, key] of keys) {
        const all = sorted[name]
        const last = all[all.length - 1]
        // What is new stands last by number and time.
        if (!last || key(last) < key(row)) all.push(row)
        else all.splice(boundary(all, key, key(row), row._id, true), 0, row)
      }
    },
    /** Takes the row out where its place changes, lets it change, and puts it back. */
    change(row, changed) {
      for (const [name, key] of keys) {
        if (key(row) === key(changed)) continue
        const all = sorted[name]
        all.splice(boundary(all, key, key(row), row._id, false), 1)
        const last = all[all.length - 1]
        if (!last || key(last) < key(changed)) all.push(row)
        else all.splice(boundary(all, key, key(changed), row._id, true), 0, row)
      }
      Object.assign(row, changed)
    },
  }
}
