"""Messages of scripts, phones and headsets, decoded strictly: what is not as it should be is refused with a reason."""
