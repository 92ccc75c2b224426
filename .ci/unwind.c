/* The unwinder of Debian's libgcc is made for glibc: it asks glibc where the tables of a function are. musl has only
 * dl_iterate_phdr. */
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* As glibc's manual has it. */
struct dl_find_object {
    unsigned long long flags;
    void *map_start, *map_end;
    void *link_map;
    void *eh_frame;
    unsigned long long reserved[7];
};

struct search {
    uintptr_t pc;
    struct dl_find_object *result;
};

static int look(struct dl_phdr_info *info, size_t size, void *data) {
    struct search *search = data;
    const ElfW(Phdr) *tables = NULL, *segment = NULL;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_GNU_EH_FRAME)
            tables = header;
        else if (header->p_type == PT_LOAD && search->pc - start < header->p_memsz)
            segment = header;
    }
    if (!tables || !segment)
        return 0;
    struct dl_find_object *result = search->result;
    result->map_start = (void *)(info->dlpi_addr + segment->p_vaddr);
    result->map_end = (char *)result->map_start + segment->p_memsz;
    result->eh_frame = (void *)(info->dlpi_addr + tables->p_vaddr);
    (void)size;
    return 1;
}

int _dl_find_object(void *pc, struct dl_find_object *result) {
    struct search search = {(uintptr_t)pc, result};
    return dl_iterate_phdr(look, &search) == 1 ? 0 : -1;
}

/* libgcc names these weakly and then calls them. */
__attribute__((used)) static void *const needed[] = {
    (void *)pthread_once,        (void *)pthread_key_create, (void *)pthread_getspecific,
    (void *)pthread_setspecific, (void *)pthread_mutex_lock, (void *)pthread_mutex_unlock,
};
